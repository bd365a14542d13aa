import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import { createAuth as compose } from './create-auth.ts'
import type { Clock } from './kernel/clock.ts'
import { fastifyPlugin } from './mount/fastify-plugin.ts'
import { createLogger } from './server/logger.ts'
import type { Settings } from './settings/settings.ts'

export { resolveSettings } from './settings/resolve.ts'
export type { Settings, SettingsInput } from './settings/settings.ts'
export { SettingsError } from './settings/settings-error.ts'

/** What a host of the service may bring along. */
export type AuthOptions = {
  clock?: Clock
  log?: FastifyBaseLogger
  /** False where something else sees to it that the mails in the outbox are sent. */
  sendsMail?: boolean
}

/** The service as its host sees it; what else it is made of is no promise. */
export type Auth = {
  settings: Settings
  log: FastifyBaseLogger
  plugin: FastifyPluginAsync
  /** Names of the migrations that it ran. */
  migrate(): Promise<string[]>
  /** Throws when the database cannot be reached or written to, or is not up to date. */
  checkReady(): Promise<void>
  /** Forgets what has expired, which every read ignores already, until it is told to stop. */
  sweep(isStopping?: () => boolean): Promise<void>
  close(): Promise<void>
}

/** A whole service, to be mounted as a Fastify plugin. */
export function createAuth(settings: Settings, options: AuthOptions = {}): Auth {
  const auth = compose(settings, { ...options, log: options.log ?? createLogger(settings) })
  return { ...auth, plugin: fastifyPlugin(auth) }
}
