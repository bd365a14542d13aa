import type { FastifyBaseLogger } from 'fastify'
import type { AuthLog } from './options.ts'

type Say = (fields: object | string, text?: string) => void

/**
 * The log of the host as the service expects it. The host decides what it keeps. If it throws, that
 * must not fail what was logged.
 */
export function asLogger(log: AuthLog): FastifyBaseLogger {
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
