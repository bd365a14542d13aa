import { composeService, type Service } from '../compose-service.ts'
import { createLogger } from '../server/logger.ts'
import { resolveSettings } from '../settings/resolve.ts'
import { ensureSecretKey } from '../settings/secret-key.ts'
import type { Settings } from '../settings/settings.ts'
import type { SettingsInput } from '../settings/settings-input.ts'
import { asLogger } from './as-logger.ts'
import { checkedSettings } from './checked-settings.ts'
import type { AuthOptions } from './options.ts'
import { isSamePlace, type Place, settingsAt } from './place.ts'

/** The service of a host, which says later where it has put it. */
export type HostedService = {
  /** As they were given: the place is not in them. */
  readonly settings: Settings
  /** The service as it is now, at its place or not. */
  current(): Service
  /** The service at its place. There is only one: the first that a mount names. */
  at(place?: Place): Service
  close(): Promise<void>
}

/** Opens the database, brings its tables up to date, and begins to work in the background. */
export async function openService(
  input: SettingsInput,
  given: AuthOptions,
): Promise<HostedService> {
  const { migrate = true, log, ...rest } = given
  const settings = ensureSecretKey(checkedSettings(input, given))
  const options = {
    ...rest,
    log: log ? asLogger(log) : createLogger(settings),
  }
  const first = composeService(settings, options)
  let current = first
  const usual: Place = { base: '', prefix: settings.AUTH_PREFIX }
  let place: Place | null = null
  let closed: Promise<void> | undefined
  /** Services that another one has replaced. They finish what they have begun. */
  const stopping: Promise<void>[] = []

  try {
    await (migrate ? first.migrate() : first.checkReady())
  } catch (error) {
    await first.close()
    throw error
  }
  first.start()

  return {
    settings,
    current: () => current,

    at(wanted = place ?? usual) {
      if (place && !isSamePlace(place, wanted)) throw new Error(secondPlace(place, wanted))
      if (!place) moveTo(wanted)
      place ??= wanted
      return current
    },

    close() {
      closed ??= end()
      return closed
    },
  }

  async function end(): Promise<void> {
    await Promise.all(stopping)
    await current.close()
  }

  /** The same service with other paths. It shares the database, and takes over the work. */
  function moveTo(wanted: Place): void {
    if (isSamePlace(wanted, usual)) return
    const { SECRET_KEY } = settings
    const moved = resolveSettings({ ...input, SECRET_KEY, ...settingsAt(wanted, settings) })
    current = composeService(moved, { ...options, shared: first.shared })
    stopping.push(first.stop())
    if (!closed) current.start()
  }
}

const secondPlace = (first: Place, second: Place): string =>
  `This service is mounted at ${first.base}${first.prefix} already, so it cannot be mounted at ${second.base}${second.prefix}, too. Make a second one with createAuth, over the same database.`
