import type { FastifyBaseLogger } from 'fastify'
import type { EveryFeature, Part } from '../core/every-feature.ts'
import type { Metrics } from '../core/metrics.ts'
import type { Sweep } from '../core/sweep/sweeper.ts'
import type { PasswordHasher } from '../crypto/password-hash/password-hasher.ts'
import type { SealedBox } from '../crypto/sealed-box.ts'
import type { Authenticator } from '../http/authenticate.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { HttpTools } from '../http/tools.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Settings } from '../settings/settings.ts'
import type { Db } from '../storage/handle.ts'

/** What every feature may build on. */
export type Context = {
  settings: Settings
  secretKey: string
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  metrics: Metrics
  sealedBox: SealedBox
  hasher: PasswordHasher
  http: HttpTools
  everyFeature: EveryFeature
  /** False where something else sees to it that the mails in the outbox are sent. */
  sendsMail: boolean
}

/** What a feature offers to those after it, and its part in what no single feature owns. */
export type Feature<Service> = Part & {
  service: Service
  endpoints?: readonly Endpoint[]
  /** Ways to say who one is; they are tried in the order of the features. */
  authenticators?: readonly Authenticator[]
  /** Tables that grow with requests, and how they are rid of what has expired. */
  sweeps?: readonly Sweep[]
  /** Works from the start of the server to its end. */
  worker?: { start(): void; stop(): Promise<void> }
  /** Brings rows up to what the settings ask for, once the tables are up to date. */
  afterMigration?(): Promise<void>
  /** What the operator should know about the settings, told at the start. */
  warnings?: readonly string[]
}

export type MakeFeature<Earlier, Service> = {
  name: string
  make(context: Context, earlier: Earlier): Feature<Service>
}

/** A feature says everything here, once; `create-auth.ts` adds it with one line. */
export const feature = <Earlier, Service>(
  name: string,
  make: (context: Context, earlier: Earlier) => Feature<Service>,
): MakeFeature<Earlier, Service> => ({ name, make })
