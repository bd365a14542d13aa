import type { FastifyBaseLogger } from 'fastify'
import { composeService, type Service } from '../compose-service.ts'
import { createLogger } from '../server/logger.ts'
import { resolveSettings } from '../settings/resolve.ts'
import { ensureSecretKey } from '../settings/secret-key.ts'
import type { SettingsInput } from '../settings/settings.ts'
import type { AuthLog, AuthOptions } from './auth.ts'
import { createHostedPlace, type HostedPlace } from './place.ts'
import { checkedSettings } from './settings.ts'

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
    await service.start()
  } catch (error) {
    await service.close()
    throw error
  }

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

type Say = (fields: object | string, text?: string) => void

/**
 * The log of the host as the service expects it. The host decides what it keeps. If it throws, that
 * must not fail what was logged.
 */
function asLogger(log: AuthLog): FastifyBaseLogger {
  const at =
    (level: keyof AuthLog): Say =>
    (fields, text = '') => {
      try {
        if (typeof fields === 'string') log[level]({}, fields)
        else log[level](fields, text)
      } catch {
        // There is nobody else to tell.
      }
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
