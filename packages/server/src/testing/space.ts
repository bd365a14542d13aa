import type { FastifyBaseLogger } from 'fastify'
import { composeService, type Service } from '../compose-service.ts'
import type { AccountEvent, AfterHooks } from '../core/hooks.ts'
import { argon2Costing } from '../crypto/password-hash/argon2.ts'
import { createHashSlots } from '../crypto/password-hash/hash-slots.ts'
import { createPasswordHasher } from '../crypto/password-hash/password-hasher.ts'
import { SECOND } from '../kernel/clock.ts'
import { EVENT_KINDS } from '../kernel/event-kinds.ts'
import { withDeadline } from '../kernel/promises.ts'
import { buildApp } from '../server/build-app.ts'
import type { KeyedSettings } from '../settings/secret-key.ts'
import { openSqliteFile } from '../storage/connect.ts'
import { addTables } from '../storage/ready-tables.ts'
import { openSnapshots } from '../storage/snapshots.ts'
import { createTestClock } from './clock.ts'
import { createFaults } from './faults.ts'
import { type Client, createIdentityProvider } from './identity-provider.ts'
import { createJournal } from './journal.ts'
import { createTestMailbox } from './mailbox.ts'
import { addUsers } from './new-users.ts'
import { addPathFaults } from './path-faults.ts'
import { createRecords } from './records.ts'

export type Space = Awaited<ReturnType<typeof openSpace>>

type Needs = {
  readonly name: string
  /** Where it is reached without a header. */
  readonly url: string
  readonly settings: KeyedSettings
  readonly clients: Readonly<Record<string, Client>>
  /** The users of the seed. */
  readonly seed: readonly unknown[]
  readonly log: FastifyBaseLogger
}

/** The lowest cost at which argon2 works. Nobody attacks these hashes. */
const CHEAP = argon2Costing({ variant: 'argon2id', version: 19, memory: 8, passes: 1, lanes: 1 })

/** No request waits longer than this for mails and events that are due. */
const SETTLE_WITHIN = 5 * SECOND

/** One whole service with its own database, clock, mailbox, events, faults and providers. */
export async function openSpace({ name, url, settings, clients, seed, log }: Needs) {
  const clock = createTestClock()
  const faults = createFaults()
  const mailbox = createTestMailbox(faults)
  const events = createJournal<AccountEvent>('event')
  // Hears every event, as the hooks of a host would.
  const hooks: AfterHooks = Object.fromEntries(EVENT_KINDS.map((kind) => [kind, events.add]))
  const deadlines = { readMs: 5 * SECOND, writeMs: 5 * SECOND }
  const connection = openSqliteFile(':memory:', deadlines, faults.freeze())
  const hashers = new Set(['argon2' as const, ...settings.PASSWORD_HASHERS])
  const service: Service = composeService(settings, {
    log,
    clock,
    connection,
    hooks,
    transport: mailbox.transport,
    hasher: createPasswordHasher(
      { hashers: [...hashers], slots: createHashSlots() },
      { argon2: CHEAP },
    ),
  })
  const providers = new Map(
    Object.entries(clients).map(([id, client]) => [id, createIdentityProvider(client, clock)]),
  )

  try {
    await addTables(connection)
    await service.migrate()
    const { AUTH_PREFIX: prefix } = settings
    const app = await buildApp(service, (server) => addPathFaults(server, { faults, prefix }))
    await app.ready()
    const snapshots = await openSnapshots(connection)
    const space = { name, url, service, clock, faults, mailbox, events, providers, settle }
    await addUsers(space, seed)
    await settle()
    const records = await createRecords({ ...space, snapshots })

    return {
      ...space,
      ...records,
      answer: (...call: Parameters<typeof app.routing>) => app.routing(...call),
      close: () => app.close(),
    }
  } catch (error) {
    await service.close()
    throw error
  }

  /** Delivers what is due, and sweeps if the clock was moved. Waits for no mail server that hangs. */
  async function settle({ sweeps = false } = {}): Promise<void> {
    const { delivery, deliveries } = service.services
    const isHanging = faults.smtp() === 'hang'
    const rounds = faults.isDatabaseDown() ? [] : [delivery.deliverDue, ...deliveries.rounds]
    const work = rounds.map((deliver) => deliver().catch(() => {}))
    const awaited = isHanging ? work.slice(1) : work
    await withDeadline(Promise.all(awaited), SETTLE_WITHIN).catch(() => {})
    if (sweeps && !faults.isDatabaseDown()) await service.sweep()
  }
}
