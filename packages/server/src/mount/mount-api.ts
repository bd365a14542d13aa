import type { FastifyInstance } from 'fastify'
import { addAnswerHeaders, addCors, sendJson } from '../http/answer-headers.ts'
import { addBodyParsers } from '../http/body-parsers.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { addErrorHandler, type Speaking } from '../http/error-handler.ts'
import { takeBodyOfHost } from '../http/parsed-body.ts'
import {
  addNotFoundHandler,
  addResource,
  addRoutesForOtherMethods,
  recordPaths,
  type ServedPaths,
} from '../http/paths.ts'
import { type EndpointNeeds, registerEndpoints } from '../http/register-endpoints.ts'

/** An API and its pages, as a server gets them. */
export type Api<Caller> = {
  speaking: Speaking
  /** Without a slash at its end, and without what a host strips. */
  prefix: string
  /** Those with `atRoot` are outside the prefix: hosted pages, and some paths of `ROUTES`. */
  endpoints: readonly Endpoint<Caller>[]
  needs: EndpointNeeds<Caller>
  openapi: {
    path: string
    describe(): object
    cacheControl: string
  }
}

/** Adds an API to the server of a host, which puts its own prefix before all of our paths. */
export async function mountInto<Caller>(host: FastifyInstance, api: Api<Caller>): Promise<void> {
  await host.register(async (ours) => {
    ours.addHook('preParsing', takeBodyOfHost)
    // If our prefix is empty, an unknown path may belong to the host.
    await addBelowPrefix(ours, api, { isAlone: api.prefix !== '' })
    await ours.register(async (outside) => {
      const paths = recordPaths(outside)
      addEndpointsAtRoot(outside, api)
      addRoutesForOtherMethods(outside, paths)
    })
  })
}

/**
 * Adds an API to our own server, which also answers unknown paths. `addMore` may add further routes
 * outside the prefix.
 */
export async function addAlone<Caller>(
  app: FastifyInstance,
  api: Api<Caller>,
  paths: ServedPaths,
  addMore: (outside: FastifyInstance) => void = () => {},
): Promise<void> {
  // Beside the API, not around it. Otherwise the hooks of both would run for each request to the
  // API.
  await app.register(async (outside) => {
    addEndpointsAtRoot(outside, api)
    // Without a prefix, the API answers unknown paths.
    if (api.prefix !== '') addNotFoundHandler(outside, paths)
    addMore(outside)
  })
  await addBelowPrefix(app, api, { isAlone: true, paths })
}

function addEndpointsAtRoot<Caller>(
  outside: FastifyInstance,
  { speaking, endpoints, needs }: Api<Caller>,
): void {
  addErrorHandler(outside, speaking)
  addAnswerHeaders(outside, speaking)
  const atRoot = endpoints.filter((one) => one.atRoot)
  if (atRoot.length === 0) return
  addCors(outside, speaking.settings)
  addBodyParsers(outside)
  registerEndpoints(outside, atRoot, needs)
}

/**
 * Adds everything but the endpoints at the root. If all paths below the prefix are ours (`isAlone`), we
 * answer unknown ones. `paths` are those of our own server, which include more.
 */
export async function addBelowPrefix<Caller>(
  server: FastifyInstance,
  { speaking, prefix, endpoints, needs, openapi }: Api<Caller>,
  { isAlone, paths: known }: { isAlone: boolean; paths?: ServedPaths },
): Promise<void> {
  await server.register(
    async (app) => {
      const paths = known ?? recordPaths(app)
      addErrorHandler(app, speaking)
      addAnswerHeaders(app, speaking)
      addCors(app, speaking.settings)
      if (isAlone) addNotFoundHandler(app, paths)
      addBodyParsers(app)
      const below = endpoints.filter((one) => !one.atRoot)
      registerEndpoints(app, below, needs)
      // Made at the first request for it, since most processes never need it.
      let document: string | undefined
      addResource(app, openapi.path, async (_, reply) => {
        document ??= JSON.stringify(openapi.describe())
        // Hosts such as Koa set 404 before they call us.
        return sendJson(reply.status(200).header('cache-control', openapi.cacheControl), document)
      })
      if (!isAlone) addRoutesForOtherMethods(app, paths)
    },
    { prefix },
  )
}
