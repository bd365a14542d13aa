import type { FastifyBaseLogger } from 'fastify'
import type { AuthLog } from './options.ts'

type Say = (fields: object | string, text?: string) => void

/** The log of the host as the service expects it. The host decides what it keeps. */
export function asLogger(log: AuthLog): FastifyBaseLogger {
  const at =
    (level: keyof AuthLog): Say =>
    (fields, text = '') =>
      typeof fields === 'string' ? log[level]({}, fields) : log[level](fields, text)
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
