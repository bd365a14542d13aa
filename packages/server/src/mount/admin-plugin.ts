import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { Service } from '../compose-service.ts'
import type { AdminCaller } from '../core/admin-caller.ts'
import type { Throttle } from '../core/limits.ts'
import type { AdminApi } from '../features/admin/feature.ts'
import { addAnswerHeaders, JSON_TYPE } from '../http/answer-headers.ts'
import { addBodyParsers } from '../http/body-parsers.ts'
import { addErrorHandler, addNotFoundHandler } from '../http/error-handler.ts'
import { describeAdmin } from '../http/openapi-admin.ts'
import {
  addResource,
  addRoutesForOtherMethods,
  recordPaths,
  refuseOtherMethods,
  type ServedPaths,
} from '../http/paths.ts'
import { registerEndpoints } from '../http/register-endpoints.ts'
import { endpointNeeds } from './fastify-plugin.ts'

export const ADMIN_PREFIX = '/admin'

/** Counts people by their account, and programs by their address. */
const throttleFor = (throttle: Throttle | null): Throttle<AdminCaller> | null =>
  throttle &&
  ((caller, address) => throttle(caller?.kind === 'person' ? caller.identity : null, address))

/**
 * The admin API and its pages, to be registered below a prefix. `paths` are those of our own server,
 * which answers unknown paths; a host does that itself.
 */
export const adminPlugin =
  (service: Service, admin: AdminApi, pathsOfServer?: ServedPaths): FastifyPluginAsync =>
  async (app) => {
    const { settings, authenticate, freshness } = admin
    const paths = pathsOfServer ?? recordPaths(app)
    const needs = {
      ...endpointNeeds(service),
      authenticate,
      freshness,
      throttle: throttleFor(service.throttle),
    }
    // Made at the first request for it, since most processes never need it.
    let openapi: string | undefined

    addErrorHandler(app, settings)
    addAnswerHeaders(app, settings)
    if (pathsOfServer) {
      addNotFoundHandler(app)
      refuseOtherMethods(app, paths)
    }
    addBodyParsers(app)
    const api = admin.endpoints.map((one) => ({ ...one, path: `api/${one.path}` }))
    registerEndpoints(app, [...api, ...admin.pages], needs)
    addResource(app, 'api/openapi.json', async (_, reply) => {
      openapi ??= JSON.stringify(describeAdmin(admin))
      return reply.type(JSON_TYPE).send(openapi)
    })
    if (!pathsOfServer) addRoutesForOtherMethods(app, paths)
  }

/** Adds the admin API to our own server, and answers all other paths of it with 404. */
export async function addAdminAlone(
  app: FastifyInstance,
  service: Service,
  admin: AdminApi,
  paths: ServedPaths,
): Promise<void> {
  await app.register(async (outside) => {
    addErrorHandler(outside, admin.settings)
    addAnswerHeaders(outside, admin.settings)
    addNotFoundHandler(outside)
  })
  await app.register(adminPlugin(service, admin, paths), { prefix: ADMIN_PREFIX })
}
