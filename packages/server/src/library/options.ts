import type { HostOptions } from '../core/host/plug-points.ts'
import type { Clock } from '../kernel/clock.ts'

/** Takes what the service has to say. `console`, pino and `app.log` of Fastify all do. */
export type AuthLog = {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

/** What a program that embeds the service may provide. */
export type AuthOptions = HostOptions & {
  /** False if migrations are run by `latchkey migrate`. If some are due, `createAuth` fails. */
  migrate?: boolean
  /** Where the service logs. By default lines of JSON go to standard output, as `LOG_LEVEL` says. */
  log?: AuthLog
  /** The time, for tests. */
  clock?: Clock
}
