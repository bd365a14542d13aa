import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import type { Clock } from './kernel/clock.ts'
import type { Settings } from './settings.ts'

/** What a host of the service may bring along. */
export type AuthOptions = {
  clock?: Clock
  log?: FastifyBaseLogger
  /** False where something else sees to it that the mails in the outbox are sent. */
  sendsMail?: boolean
}

/** The service as its host sees it; what else it is made of is no promise. */
export type HostedAuth = {
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
