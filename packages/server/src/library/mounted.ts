import type { FastifyInstance } from 'fastify'
import { once } from '../kernel/promises.ts'
import { addAdminAlone, mountAdminInto } from '../mount/admin-plugin.ts'
import { addWholeService, mountInto, prefixAt } from '../mount/fastify-plugin.ts'
import { ADMIN_PATH } from '../settings/admin-view.ts'
import type { AddTo, GetOwnApp, Shared } from './build-own-app.ts'
import type { HostedService } from './hosted-service.ts'
import { createElsewhere, type Elsewhere, type HostedPlace } from './place.ts'

/** One of the two APIs of a service, as its mounts need it. */
export type Mounted = Shared & {
  readonly claim: HostedPlace['claim']
  /** Adds it to the Fastify of a host. */
  mountInto(host: FastifyInstance): Promise<void>
  readonly ownApp: GetOwnApp
  readonly elsewhere: Elsewhere
}

/** Loads Fastify with the first request, since a host with its own never needs ours. */
const ownAppOf = (mounted: Shared, add: AddTo): GetOwnApp =>
  once(async () => (await import('./build-own-app.ts')).buildOwnApp(mounted, add))

/** The public API and its pages. */
export const publicApi = (service: HostedService): Mounted => ({
  ...service,
  mountInto: (host) => mountInto(host, service),
  ownApp: ownAppOf(service, (app, paths) => addWholeService(app, service, paths)),
  elsewhere: createElsewhere(
    service,
    (base) =>
      `If the service is mounted there, set AUTH_PREFIX to "${base}/", and PAGES_PREFIX to where the pages are.`,
  ),
})

/** The admin API and its pages. If the module is off, every mount of it is refused. */
export function adminApi(service: HostedService): Mounted {
  const { log, adminPlace } = service
  const admin = () => {
    if (!service.admin) throw new Error('The module admin is off. Add it to MODULES.')
    return service.admin
  }
  const mounted = {
    settings: { ...(service.admin ?? service).settings, AUTH_PREFIX: ADMIN_PATH },
    languages: service.languages,
    log,
    place: adminPlace.get,
  }
  return {
    ...mounted,
    claim(find) {
      admin()
      adminPlace.claim(find)
    },
    mountInto: (host) => mountAdminInto(host, service, admin(), mounted.place()),
    ownApp: ownAppOf(mounted, async (app, paths) =>
      addAdminAlone(app, service, admin(), { paths, prefix: prefixAt(mounted.place()) }),
    ),
    elsewhere: createElsewhere(mounted, () => 'Mount it at a path of the app, not of a router.'),
  }
}
