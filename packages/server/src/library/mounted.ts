import type { FastifyInstance } from 'fastify'
import { once } from '../kernel/promises.ts'
import { adminApi, prefixAt, publicApi } from '../mount/apis.ts'
import { type Api, addAlone, mountInto } from '../mount/mount-api.ts'
import { ADMIN_PATH } from '../settings/admin-view.ts'
import type { GetOwnApp, Shared } from './build-own-app.ts'
import type { HostedService } from './hosted-service.ts'
import { createElsewhere, type Elsewhere, type HostedPlace } from './place.ts'

type Claimed = Shared & Pick<HostedPlace, 'claim'>

/** One of the two APIs of a service, as its mounts need it. */
export type Mounted = Claimed & {
  /** Adds it to the Fastify of a host. */
  mountInto(host: FastifyInstance): Promise<void>
  readonly ownApp: GetOwnApp
  readonly elsewhere: Elsewhere
}

/** `api` is called when a mount needs it, since that settles the place. */
const mounted = <Caller>(
  claimed: Claimed,
  api: () => Api<Caller>,
  remedyAt: (base: string) => string,
): Mounted => ({
  ...claimed,
  mountInto: async (host) => mountInto(host, api()),
  // Loads Fastify with the first request, since a host with its own never needs ours.
  ownApp: once(async () => {
    const { buildOwnApp } = await import('./build-own-app.ts')
    return buildOwnApp(claimed, async (app, paths) => addAlone(app, api(), paths))
  }),
  elsewhere: createElsewhere(claimed, remedyAt),
})

/** The public API and its pages. */
export const mountedPublic = (service: HostedService): Mounted =>
  mounted(
    service,
    () => publicApi(service),
    (base) =>
      `If the service is mounted there, set AUTH_PREFIX to "${base}/", and PAGES_PREFIX to where the pages are.`,
  )

/** The admin API and its pages. If the module is off, every mount of it is refused. */
export function mountedAdmin(service: HostedService): Mounted {
  const { log, adminPlace } = service
  const admin = () => {
    if (!service.admin) throw new Error('The module admin is off. Add it to MODULES.')
    return service.admin
  }
  const claimed: Claimed = {
    settings: { ...(service.admin ?? service).settings, AUTH_PREFIX: ADMIN_PATH },
    languages: service.languages,
    log,
    place: adminPlace.get,
    claim(find) {
      admin()
      adminPlace.claim(find)
    },
  }
  return mounted(
    claimed,
    () => adminApi(service, admin(), prefixAt(adminPlace.get())),
    () => 'Mount it at a path of the app, not of a router.',
  )
}
