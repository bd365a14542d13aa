import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { Service } from '../compose-service.ts'
import type { AdminCaller } from '../core/identity.ts'
import type { Throttle } from '../core/limits.ts'
import type { Place } from '../core/place.ts'
import type { AdminApi } from '../features/admin/feature.ts'
import { addAnswerHeaders } from '../http/answer-headers.ts'
import { addErrorHandler } from '../http/error-handler.ts'
import { describeAdmin } from '../http/openapi.ts'
import { takeBodyOfHost } from '../http/parsed-body.ts'
import { addNotFoundHandler, type ServedPaths } from '../http/paths.ts'
import { addApi, endpointNeeds, prefixAt, type Surroundings } from './fastify-plugin.ts'

/** Counts people by their account, and programs by their address. */
const throttleFor = (throttle: Throttle | null): Throttle<AdminCaller> | null =>
  throttle &&
  ((caller, address) => throttle(caller?.kind === 'person' ? caller.identity : null, address))

/** The admin API and its pages, to be registered below a prefix. */
export const adminPlugin =
  (service: Service, admin: AdminApi, surroundings: Surroundings): FastifyPluginAsync =>
  async (app) => {
    const { settings, authenticate, freshness } = admin
    const endpoints = admin.endpoints.map((one) => ({ ...one, path: `api/${one.path}` }))
    const needs = {
      ...endpointNeeds(service),
      authenticate,
      freshness,
      userIdOf: (caller: AdminCaller) =>
        caller.kind === 'person' ? caller.identity.user.id : null,
      throttle: throttleFor(service.throttle),
    }
    const openapi = {
      path: 'api/openapi.json',
      describe: () => describeAdmin(admin),
      cacheControl: 'no-store',
    }
    const speaking = { settings, languages: service.languages }
    const api = { speaking, endpoints: [...endpoints, ...admin.pages], needs, openapi }
    addApi(app, api, surroundings)
  }

/** Adds the admin API to our own server, and answers all other paths of it with 404. */
export async function addAdminAlone(
  app: FastifyInstance,
  service: Service,
  admin: AdminApi,
  { paths, prefix }: { paths: ServedPaths; prefix: string },
): Promise<void> {
  // Without a prefix, the API answers unknown paths.
  if (prefix !== '') {
    await app.register(async (outside) => {
      const speaking = { settings: admin.settings, languages: service.languages }
      addErrorHandler(outside, speaking)
      addAnswerHeaders(outside, speaking)
      addNotFoundHandler(outside, paths)
    })
  }
  await app.register(adminPlugin(service, admin, { isAlone: true, paths }), { prefix })
}

/** Adds the admin API to the server of a host. */
export async function mountAdminInto(
  host: FastifyInstance,
  service: Service,
  admin: AdminApi,
  place: Place,
): Promise<void> {
  const prefix = prefixAt(place)
  await host.register(async (ours) => {
    ours.addHook('preParsing', takeBodyOfHost)
    await ours.register(adminPlugin(service, admin, { isAlone: prefix !== '' }), { prefix })
  })
}
