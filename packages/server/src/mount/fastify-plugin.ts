import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Service } from '../compose-service.ts'
import type { Identity } from '../core/identity.ts'
import { type Place, routingAt } from '../core/place.ts'
import { addAnswerHeaders, addCors, sendJson } from '../http/answer-headers.ts'
import { addBodyParsers } from '../http/body-parsers.ts'
import { addressBucket, clientAddress } from '../http/client-address.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { addErrorHandler, type Speaking } from '../http/error-handler.ts'
import { createFreshness } from '../http/freshness.ts'
import { describeEndpoints } from '../http/openapi.ts'
import { takeBodyOfHost } from '../http/parsed-body.ts'
import {
  addNotFoundHandler,
  addResource,
  addRoutesForOtherMethods,
  recordPaths,
  type ServedPaths,
  withoutSlash,
} from '../http/paths.ts'
import { type EndpointNeeds, registerEndpoints } from '../http/register-endpoints.ts'

/**
 * Adds the service to the server of a host, which puts its own prefix before all of our paths. The
 * hosted pages and some paths of `ROUTES` are outside the prefix of the API.
 */
export async function mountInto(host: FastifyInstance, service: Service): Promise<void> {
  const prefix = prefixAt(service.place())
  await host.register(async (ours) => {
    ours.addHook('preParsing', takeBodyOfHost)
    // If our prefix is empty, an unknown path may belong to the host.
    await ours.register(apiBelowPrefix(service, { isAlone: prefix !== '' }), { prefix })
    await ours.register(async (outside) => {
      const paths = recordPaths(outside)
      addErrorHandler(outside, service)
      addAnswerHeaders(outside, service)
      addEndpointsAtRoot(outside, service)
      addRoutesForOtherMethods(outside, paths)
    })
  })
}

function apiBelowPrefix(service: Service, surroundings: Surroundings): FastifyPluginAsync {
  const endpoints = service.endpoints()
  const api = {
    speaking: service,
    endpoints: endpoints.filter(({ atRoot }) => !atRoot),
    needs: endpointNeeds(service),
    openapi: {
      path: 'openapi.json',
      describe: () => describeEndpoints(endpoints, service.settings, service.place()),
      cacheControl: 'public, max-age=300',
    },
  }
  return async (app) => addApi(app, api, surroundings)
}

/**
 * Adds the endpoints outside the prefix: the hosted pages, and aliases that `ROUTES` puts there.
 */
function addEndpointsAtRoot(app: FastifyInstance, service: Service): void {
  const endpoints = service.endpoints().filter(({ atRoot }) => atRoot)
  if (endpoints.length === 0) return
  addCors(app, service.settings)
  addBodyParsers(app)
  registerEndpoints(app, endpoints, endpointNeeds(service))
}

/** The prefix of the API, without what a host strips. */
export const prefixAt = (place: Place): string => withoutSlash(routingAt(place).AUTH_PREFIX)

export function endpointNeeds(service: Service) {
  const { settings, authenticate, throttle, clientLimits, languages, noteProxy } = service
  const { NUM_PROXIES } = settings.REST_FRAMEWORK
  return {
    authenticate,
    freshness: createFreshness(service),
    userIdOf: ({ user }: Identity) => user.id,
    throttle,
    clientLimits,
    languages,
    addressOf(request: FastifyRequest) {
      noteProxy(request)
      return addressBucket(clientAddress(request, NUM_PROXIES))
    },
  }
}

/**
 * Adds the service to our own server, which also answers unknown paths. `addMore` may add further
 * routes outside the prefix.
 */
export async function addWholeService(
  app: FastifyInstance,
  service: Service,
  paths: ServedPaths,
  addMore: (outside: FastifyInstance) => void = () => {},
): Promise<void> {
  const prefix = prefixAt(service.place())
  // Beside the API, not around it. Otherwise the hooks of both would run for each request to the
  // API.
  await app.register(async (outside) => {
    addErrorHandler(outside, service)
    addAnswerHeaders(outside, service)
    addEndpointsAtRoot(outside, service)
    // Without a prefix, the API answers unknown paths.
    if (prefix !== '') addNotFoundHandler(outside, paths)
    addMore(outside)
  })
  await app.register(apiBelowPrefix(service, { isAlone: true, paths }), { prefix })
}

export type Surroundings = {
  /** Whether all paths below the prefix are ours, so that we answer unknown ones. */
  isAlone: boolean
  /** The paths of our own server, which include more. */
  paths?: ServedPaths
}

type Api<Caller> = {
  speaking: Speaking
  endpoints: readonly Endpoint<Caller>[]
  needs: EndpointNeeds<Caller>
  openapi: {
    path: string
    describe(): object
    cacheControl: string
  }
}

/** Adds an API to an instance that has its prefix. */
export function addApi<Caller>(
  app: FastifyInstance,
  { speaking, endpoints, needs, openapi }: Api<Caller>,
  { isAlone, paths = recordPaths(app) }: Surroundings,
): void {
  addErrorHandler(app, speaking)
  addAnswerHeaders(app, speaking)
  addCors(app, speaking.settings)
  if (isAlone) addNotFoundHandler(app, paths)
  addBodyParsers(app)
  registerEndpoints(app, endpoints, needs)
  // Made at the first request for it, since most processes never need it.
  let document: string | undefined
  addResource(app, openapi.path, async (_, reply) => {
    document ??= JSON.stringify(openapi.describe())
    // Hosts such as Koa set 404 before they call us.
    return sendJson(reply.status(200).header('cache-control', openapi.cacheControl), document)
  })
  if (!isAlone) addRoutesForOtherMethods(app, paths)
}
