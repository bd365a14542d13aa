import type { FastifyRequest } from 'fastify'
import type { Service } from '../compose-service.ts'
import type { AdminCaller, Identity } from '../core/identity.ts'
import type { Throttle } from '../core/limits.ts'
import { type Place, routingAt } from '../core/place.ts'
import type { AdminApi } from '../features/admin/feature.ts'
import { addressBucket, clientAddress } from '../http/client-address.ts'
import { createFreshness } from '../http/freshness.ts'
import { describeAdmin, describeEndpoints } from '../http/openapi.ts'
import { withoutSlash } from '../http/paths.ts'
import type { Api } from './mount-api.ts'

/** The public API and its pages. */
export function publicApi(service: Service): Api<Identity> {
  const endpoints = service.endpoints()
  return {
    speaking: service,
    prefix: prefixAt(service.place()),
    endpoints,
    needs: {
      ...sharedNeeds(service),
      authenticate: service.authenticate,
      freshness: createFreshness(service),
      userIdOf: ({ user }) => user.id,
      throttle: service.throttle,
    },
    openapi: {
      path: 'openapi.json',
      describe: () => describeEndpoints(endpoints, service.settings, service.place()),
      cacheControl: 'public, max-age=300',
    },
  }
}

/** The admin API and its pages. */
export function adminApi(service: Service, admin: AdminApi, prefix: string): Api<AdminCaller> {
  const { settings, authenticate, freshness } = admin
  const endpoints = admin.endpoints.map((one) => ({ ...one, path: `api/${one.path}` }))
  return {
    speaking: { settings, languages: service.languages },
    prefix,
    endpoints: [...endpoints, ...admin.pages],
    needs: {
      ...sharedNeeds(service),
      authenticate,
      freshness,
      userIdOf: (caller) => (caller.kind === 'person' ? caller.identity.user.id : null),
      throttle: throttleFor(service.throttle),
    },
    openapi: {
      path: 'api/openapi.json',
      describe: () => describeAdmin(admin),
      cacheControl: 'no-store',
    },
  }
}

/** The prefix of an API, without what a host strips. */
export const prefixAt = (place: Place): string => withoutSlash(routingAt(place).AUTH_PREFIX)

/** Counts people by their account, and programs by their address. */
const throttleFor = (throttle: Throttle | null): Throttle<AdminCaller> | null =>
  throttle &&
  ((caller, address) => throttle(caller?.kind === 'person' ? caller.identity : null, address))

function sharedNeeds({ settings, clientLimits, languages, noteProxy }: Service) {
  const { NUM_PROXIES } = settings.REST_FRAMEWORK
  return {
    clientLimits,
    languages,
    addressOf(request: FastifyRequest) {
      noteProxy(request)
      return addressBucket(clientAddress(request, NUM_PROXIES))
    },
  }
}
