import type { FastifyBaseLogger } from 'fastify'
import { composeService, type Service } from '../compose-service.ts'
import type { Paths } from '../core/place.ts'
import { createLogger } from '../server/logger.ts'
import { ADMIN_PATH } from '../settings/admin-view.ts'
import { resolveSettings } from '../settings/resolve.ts'
import { ensureSecretKey } from '../settings/secret-key.ts'
import type { Settings } from '../settings/settings.ts'
import type { SettingsInput } from '../settings/settings-input.ts'
import { namingDatabase } from '../storage/faults.ts'
import type { AuthLog, AuthOptions } from './auth.ts'
import { createHostedPlace } from './place.ts'
import { checkedSettings } from './settings.ts'

/** A service in a host. The host names its place when it mounts the service. */
export type HostedService = Awaited<ReturnType<typeof openService>>

/** Opens the database, migrates it, and starts the background work. */
export async function openService(input: SettingsInput, given: AuthOptions) {
  const { migrate = true, log, ...options } = given
  const settings = ensureSecretKey(checkedSettings(input, given))
  const { SECRET_KEY } = settings
  const { claim, get } = createHostedPlace(settings, (paths) =>
    resolveSettings({ ...input, SECRET_KEY, ...paths }),
  )
  const adminPlace = createHostedPlace({ ...settings, AUTH_PREFIX: ADMIN_PATH }, adminPathsAt)
  const service = await startService().catch((error) => {
    throw namingDatabase(settings.DATABASE_URL, error)
  })

  let closed: Promise<void> | undefined
  return {
    ...service,
    claim,
    /** The place of the admin API, which is mounted separately. */
    adminPlace,
    /** Can be called more than once. */
    close() {
      closed ??= service.close()
      return closed
    },
  }

  async function startService(): Promise<Service> {
    const service = composeService(settings, {
      ...options,
      log: log ? asLogger(log) : createLogger(settings),
      place: get,
      adminPath: () => adminPlace.get().AUTH_PREFIX,
    })
    try {
      await (migrate ? service.migrate() : service.checkReady())
      await service.start()
      return service
    } catch (error) {
      await service.close()
      throw error
    }
  }
}

/** Refuses a path that does not work. Pages and API are below the same one. */
function adminPathsAt({ AUTH_PREFIX = ADMIN_PATH }: Partial<Paths>): Settings {
  const settings = resolveSettings({ AUTH_PREFIX, MODULES: [] })
  return { ...settings, PAGES_PREFIX: settings.AUTH_PREFIX }
}

type Say = (fields: object | string, text?: string) => void

/** Adapts the log of the host. An error in the log must not break what was being logged. */
function asLogger(log: AuthLog): FastifyBaseLogger {
  const at =
    (level: keyof AuthLog): Say =>
    (fields, text = '') => {
      // An async log fails later. There is nowhere else to report that.
      const say = async () =>
        typeof fields === 'string' ? log[level]({}, fields) : log[level](fields, text)
      say().catch(() => {})
    }
  const ignore = () => {}
  const logger = {
    level: 'info',
    fatal: at('error'),
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: ignore,
    trace: ignore,
    silent: ignore,
    child: () => logger,
  }
  return logger
}
