import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import type { HostOptions } from './core/host/plug-points.ts'
import { createAuth as compose } from './create-auth.ts'
import type { Clock } from './kernel/clock.ts'
import { fastifyPlugin } from './mount/fastify-plugin.ts'
import { createLogger } from './server/logger.ts'
import type { Settings } from './settings/settings.ts'

export type { Hooks } from './core/hooks.ts'
export { refuse } from './kernel/refuse.ts'
export { resolveSettings } from './settings/resolve.ts'
export type { Settings } from './settings/settings.ts'
export { SettingsError } from './settings/settings-error.ts'
export type { SettingsInput } from './settings/settings-input.ts'

/** What the host of the service may provide. */
export type AuthOptions = HostOptions & {
  clock?: Clock
  log?: FastifyBaseLogger
  /** False if another process sends the mails of the outbox. */
  sendsMail?: boolean
}

/** The service as its host sees it. Only what is listed here is a stable API. */
export type Auth = {
  settings: Settings
  log: FastifyBaseLogger
  plugin: FastifyPluginAsync<{ prefix?: string }>
  /** Returns the names of the migrations that ran. */
  migrate(): Promise<string[]>
  /** Throws if the database cannot be reached or written to, or is not up to date. */
  checkReady(): Promise<void>
  /** Deletes expired rows, which every read ignores already, until it is told to stop. */
  sweep(isStopping?: () => boolean): Promise<void>
  close(): Promise<void>
}

/** Builds a whole service, to be mounted as a Fastify plugin. */
export function createAuth(settings: Settings, options: AuthOptions = {}): Auth {
  const auth = compose(settings, { ...options, log: options.log ?? createLogger(settings) })
  return { ...auth, plugin: fastifyPlugin(auth) }
}
