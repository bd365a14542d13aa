import { composeService, type Service } from '../compose-service.ts'
import { createLogger } from '../server/logger.ts'
import { resolveSettings } from '../settings/resolve.ts'
import { ensureSecretKey } from '../settings/secret-key.ts'
import type { SettingsInput } from '../settings/settings-input.ts'
import { asLogger } from './as-logger.ts'
import { checkedSettings } from './checked-settings.ts'
import type { AuthOptions } from './options.ts'
import { createHostedPlace, type HostedPlace } from './place.ts'

/** A service in a host, which says with a mount where it is. */
export type HostedService = Omit<Service, 'close'> & {
  readonly claim: HostedPlace['claim']
  /** It can be called again. */
  close(): Promise<void>
}

/** Opens the database, brings its tables up to date, and begins to work in the background. */
export async function openService(
  input: SettingsInput,
  given: AuthOptions,
): Promise<HostedService> {
  const { migrate = true, log, ...options } = given
  const settings = ensureSecretKey(checkedSettings(input, given))
  const { SECRET_KEY } = settings
  const { claim, get } = createHostedPlace(settings, (paths) =>
    resolveSettings({ ...input, SECRET_KEY, ...paths }),
  )
  const service = composeService(settings, {
    ...options,
    log: log ? asLogger(log) : createLogger(settings),
    place: get,
  })
  try {
    await (migrate ? service.migrate() : service.checkReady())
  } catch (error) {
    await service.close()
    throw error
  }
  service.start()

  let closed: Promise<void> | undefined
  return {
    ...service,
    claim,
    close() {
      closed ??= service.close()
      return closed
    },
  }
}
