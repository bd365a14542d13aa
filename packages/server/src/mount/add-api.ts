import type { FastifyInstance } from 'fastify'
import { addAnswerHeaders, addCors, sendJson } from '../http/answer-headers.ts'
import { addBodyParsers } from '../http/body-parsers.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { addErrorHandler, addNotFoundHandler, type Speaking } from '../http/error-handler.ts'
import {
  addResource,
  addRoutesForOtherMethods,
  recordPaths,
  refuseOtherMethods,
  type ServedPaths,
} from '../http/paths.ts'
import { type EndpointNeeds, registerEndpoints } from '../http/register-endpoints.ts'

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
  if (isAlone) {
    addNotFoundHandler(app)
    refuseOtherMethods(app, paths)
  }
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
