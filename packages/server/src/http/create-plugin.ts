import type { FastifyPluginAsync } from 'fastify'
import { createClientLimits } from '../features/limits/client-limits.ts'
import type { Limits } from '../features/limits/limits.ts'
import type { Settings } from '../settings.ts'
import { addAnswerHeaders } from './answer-headers.ts'
import { type Authenticator, createAuthenticate } from './authenticate.ts'
import { addBodyParsers } from './body-parsers.ts'
import { addressBucket, clientAddress } from './client-address.ts'
import { setsJwtCookies } from './cookies.ts'
import { addCors } from './cors.ts'
import type { Endpoint } from './endpoint.ts'
import { addErrorHandler, addNotFoundHandler } from './error-handler.ts'
import { describeEndpoints } from './openapi.ts'
import { addResource } from './paths.ts'
import { registerEndpoints } from './register-endpoints.ts'
import { createThrottle } from './throttle.ts'
import type { HttpTools } from './tools.ts'

type Needs = {
  settings: Settings
  endpoints: readonly Endpoint[]
  authenticators: readonly Authenticator[]
  http: HttpTools
  limits: Limits
  /** They work from the start of the server to its end. */
  workers: readonly { start(): void; stop(): Promise<void> }[]
  /** What the operator should know about the settings, told at the start. */
  warnings: readonly string[]
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Everything under the prefix, as a Fastify plugin that can be mounted in any server. */
export function createPlugin(needs: Needs): FastifyPluginAsync {
  const { settings, endpoints, authenticators, http, limits, workers, warnings } = needs
  const { NUM_PROXIES, DEFAULT_THROTTLE_RATES } = settings.REST_FRAMEWORK
  const rate = DEFAULT_THROTTLE_RATES.auth_service
  const { SESSION_LOGIN, USE_JWT, JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED } =
    settings.REST_AUTH
  // Made when it is first asked for, since most processes never are.
  let openapi: string | undefined

  return async (app) => {
    addErrorHandler(app, settings)
    // Without a prefix of our own, what is not found may well be somebody else's.
    if (app.prefix !== '') addNotFoundHandler(app)
    addAnswerHeaders(app, settings)
    addCors(app, settings.CORS_ALLOWED_ORIGINS)
    addBodyParsers(app)
    registerEndpoints(app, endpoints, {
      authenticate: createAuthenticate({
        authenticators,
        csrf: http.csrf,
        origins: http.origins,
        loginSetsCookies: SESSION_LOGIN || setsJwtCookies(http.cookies),
        enforcesCsrf: USE_JWT && JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED,
      }),
      throttle: rate ? createThrottle(limits, rate) : null,
      clientLimits: createClientLimits(limits, settings.ACCOUNT.RATE_LIMITS),
      addressOf: (request) => addressBucket(clientAddress(request, NUM_PROXIES)),
    })
    addResource(app, 'openapi.json', async (_, reply) => {
      openapi ??= JSON.stringify(describeEndpoints(endpoints, settings))
      return reply.header('Cache-Control', 'public, max-age=300').type(JSON_TYPE).send(openapi)
    })
    for (const worker of workers) {
      app.addHook('onReady', async () => worker.start())
      app.addHook('onClose', () => worker.stop())
    }
    for (const warning of warnings) app.log.warn(warning)
  }
}
