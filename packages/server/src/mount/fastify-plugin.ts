import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Auth } from '../create-auth.ts'
import { addAnswerHeaders } from '../http/answer-headers.ts'
import { createAuthenticate } from '../http/authenticate.ts'
import { addBodyParsers } from '../http/body-parsers.ts'
import { addressBucket, clientAddress } from '../http/client-address.ts'
import { setsJwtCookies } from '../http/cookies.ts'
import { addCors } from '../http/cors.ts'
import { addErrorHandler, addNotFoundHandler } from '../http/error-handler.ts'
import { createFreshness } from '../http/freshness.ts'
import { describeEndpoints } from '../http/openapi.ts'
import { addRoutesForOtherMethods, refuseOtherMethods } from '../http/other-methods.ts'
import { addResource, type KnownPaths, noteKnownPaths } from '../http/paths.ts'
import { registerEndpoints } from '../http/register-endpoints.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * The whole API as a Fastify plugin, to be mounted in any server. `ROUTES` may name paths outside
 * its prefix. So the plugin itself is not encapsulated; what it registers is.
 */
export function fastifyPlugin(auth: Auth): FastifyPluginAsync<{ prefix?: string }> {
  const plugin: FastifyPluginAsync<{ prefix?: string }> = async (host, { prefix = '' }) => {
    await host.register(apiBelowPrefix(auth), { prefix })
    await host.register(async (outside) => {
      const paths = noteKnownPaths(outside)
      addErrorHandler(outside, auth.settings)
      addAnswerHeaders(outside, auth.settings)
      addEndpointsAtRoot(outside, auth)
      addRoutesForOtherMethods(outside, paths)
    })
  }
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true })
}

/**
 * What lies below the prefix. Our own server passes the paths that it knows: then unknown paths are
 * answered even without a prefix.
 */
export function apiBelowPrefix(auth: Auth, pathsOfServer?: KnownPaths): FastifyPluginAsync {
  const { settings, endpoints } = auth
  // Made at the first request for it, since most processes never need it.
  let openapi: string | undefined

  return async (app) => {
    // Without a prefix, an unknown path may belong to the host.
    const answersUnknownPaths = app.prefix !== '' || pathsOfServer !== undefined
    const paths = pathsOfServer ?? noteKnownPaths(app)
    addErrorHandler(app, settings)
    addAnswerHeaders(app, settings)
    addCors(app, settings)
    if (answersUnknownPaths) {
      addNotFoundHandler(app)
      refuseOtherMethods(app, paths)
    }
    addBodyParsers(app)
    const belowPrefix = endpoints.filter(({ atRoot }) => !atRoot)
    registerEndpoints(app, belowPrefix, endpointNeeds(auth))
    addResource(app, 'openapi.json', async (_, reply) => {
      openapi ??= JSON.stringify(describeEndpoints(endpoints, settings))
      return reply.header('Cache-Control', 'public, max-age=300').type(JSON_TYPE).send(openapi)
    })
    if (!answersUnknownPaths) addRoutesForOtherMethods(app, paths)
    for (const worker of auth.workers) {
      app.addHook('onReady', async () => worker.start())
      app.addHook('onClose', () => worker.stop())
    }
    for (const warning of auth.warnings) app.log.warn(warning)
  }
}

/** Adds what is served outside the prefix: the hosted pages, and aliases that `ROUTES` puts there. */
export function addEndpointsAtRoot(app: FastifyInstance, auth: Auth): void {
  const endpoints = auth.endpoints.filter(({ atRoot }) => atRoot)
  if (endpoints.length === 0) return
  addCors(app, auth.settings)
  addBodyParsers(app)
  registerEndpoints(app, endpoints, endpointNeeds(auth))
}

function endpointNeeds(auth: Auth) {
  const { settings, clock, authenticators, http, throttle, clientLimits } = auth
  const { NUM_PROXIES, DEFAULT_AUTHENTICATION_CLASSES } = settings.REST_FRAMEWORK
  const { SESSION_LOGIN, USE_JWT, JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED } =
    settings.REST_AUTH
  return {
    authenticate: createAuthenticate({
      authenticators,
      classes: DEFAULT_AUTHENTICATION_CLASSES,
      csrf: http.csrf,
      origins: http.origins,
      loginSetsCookies: SESSION_LOGIN || setsJwtCookies(http.cookies),
      enforcesCsrf: USE_JWT && JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED,
    }),
    freshness: createFreshness({ clock, settings }),
    throttle,
    clientLimits,
    addressOf: (request: FastifyRequest) => addressBucket(clientAddress(request, NUM_PROXIES)),
  }
}
