import type { FastifyBaseLogger } from 'fastify'
import type { Attempt } from '../core/collect-mistakes.ts'
import type { EveryFeature, Part } from '../core/every-feature.ts'
import type { Hooks } from '../core/hooks.ts'
import type { Host } from '../core/host/host.ts'
import type { Languages } from '../core/languages.ts'
import type { Metrics } from '../core/metrics.ts'
import type { FindPlace } from '../core/place.ts'
import type { Team } from '../core/service-options.ts'
import type { Sweep } from '../core/sweep.ts'
import type { PasswordHasher } from '../crypto/password-hash/password-hasher.ts'
import type { SealedBox } from '../crypto/sealed-box.ts'
import type { Authenticator } from '../http/authenticate.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { HttpTools } from '../http/tools.ts'
import type { Clock } from '../kernel/clock.ts'
import type { MailSender } from '../mailer/host-transport.ts'
import type { MailTransport } from '../mailer/transport.ts'
import type { Settings } from '../settings/settings.ts'
import type { Db } from '../storage/handle.ts'

/** Available to every feature. */
export type Context = {
  /** Paths in the settings ignore the mount point. Ask `place` where the service is. */
  settings: Settings
  /** Reads a setting that can be wrong only here, so that the start names all mistakes at once. */
  attempt: Attempt
  languages: Languages
  place: FindPlace
  secretKey: string
  db: Db
  /** The same database, for commands that read whole tables: see `readPatiently`. */
  patientDb: Db
  /** Removes what was deleted from the journal of the embedded database. */
  emptyJournal(): Promise<void>
  clock: Clock
  log: FastifyBaseLogger
  metrics: Metrics
  sealedBox: SealedBox
  hasher: PasswordHasher
  http: HttpTools
  /** The same for the admin API, which has its own origin and cookies. */
  adminHttp: HttpTools
  /** Where the admin pages are, with a slash at both ends. A host may name it late. */
  adminPath(): string
  everyFeature: EveryFeature
  /** Asks the functions of the host that may refuse, or add something. */
  host: Host
  /** All hooks, as the host has given them. */
  hooks: Hooks
  /** The mail transport of the host, if it has one. */
  mailSender: MailSender | undefined
  /** Replaces every other transport, in the test service. */
  transport: MailTransport | undefined
  /** False in tests, which deliver mails and events themselves. */
  sendsMail: boolean
  /** How long another party has to answer. */
  outboundMs: number
  /** The other processes of this service, if `WORKERS` asks for some. */
  team: Team | undefined
}

/** A feature: its services for later features, and its contributions to shared tasks. */
export type Feature<Offered = unknown> = Part & {
  offers?: Offered
  endpoints?: readonly Endpoint[]
  /** Kinds of credentials. They are tried in the order of the features. */
  authenticators?: readonly Authenticator[]
  /** Tables that grow with requests, and how their expired rows are deleted. */
  sweeps?: readonly Sweep[]
  /** Runs from the start of the server to its end. */
  worker?: { start(): void; stop(): Promise<void> }
  /** Loads code that the start does not need. It can be called several times. */
  later?: () => Promise<unknown>
  /** Adapts rows to the settings, after the tables are up to date. */
  afterMigration?(): Promise<void>
  /** Warnings about the settings, logged at the start. */
  warnings?(): readonly string[] | Promise<readonly string[]>
}

/** `House` is the context and everything that earlier features offer. */
type MakeFeature<House, Offered> = (house: House) => Feature<Offered>

/** Declares a whole feature in one place. `compose-service.ts` adds it with one line. */
export const feature = <House extends Context, Offered = unknown>(
  make: MakeFeature<House, Offered>,
): MakeFeature<House, Offered> => make

/** The services that a feature adds to the house. */
export type Offers<Made> = Made extends MakeFeature<never, infer Offered> ? Offered : never

/** A house under construction. */
type Building<House> = {
  house: House
  add<Offered>(make: MakeFeature<House, Offered>): Building<House & Offered>
}

/** Adds features one by one. Each can use the services of the earlier ones. `features` gets all. */
export function build<House extends Context>(house: House, features: Feature[]): Building<House> {
  return {
    house,
    add<Offered>(make: MakeFeature<House, Offered>) {
      const made = make(house)
      features.push(made)
      return build<House & Offered>({ ...house, ...(made.offers as Offered) }, features)
    },
  }
}
