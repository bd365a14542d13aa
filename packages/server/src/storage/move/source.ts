import { setTimeout as pause } from 'node:timers/promises'
import { randomUuid } from '../../kernel/random.ts'
import type { Connection } from '../connect.ts'
import { type Db, handleOf } from '../handle.ts'
import { keepMover, listServices, removeInstance } from '../instances.ts'
import { pendingMigrations } from '../migrate.ts'
import { migrations } from '../migrations/all.ts'

const RENEW_MS = 5000
const LOOK_AGAIN_MS = 100
/** Every running service looks once a second, and a lease of a dead one ends after 30 s. */
const PATIENCE_MS = 60_000

export type Side = 'source' | 'target'

/** Migrating is left to the operator: older instances may still use the database. */
export async function refuseUnusable(connection: Connection, side: Side): Promise<void> {
  const pending = await pendingMigrations(connection, migrations)
  if (pending.length === 0) return
  if (pending.length === migrations.length) {
    throw new Error(`The ${side} has no tables of Latchkey.`)
  }
  throw new Error(
    `The ${side} is not up to date (missing: ${pending.join(', ')}). Run "latchkey migrate" on it first.`,
  )
}

type Announcement = {
  /** With it, running services are asked to pause their writes. Without it, they are refused. */
  freezes: boolean
  say(words: string): void
}

/** Runs the work while no service writes to the source. `work` gets the id of this mover. */
export async function withQuietSource<T>(
  source: Connection,
  { freezes, say }: Announcement,
  work: (id: string) => Promise<T>,
): Promise<T> {
  const db = handleOf<Db>(source.db)
  const id = randomUuid()
  const refuseServices = async () => {
    if (!freezes) refuseInUse((await listServices(db)).length)
  }
  // Twice: services that run need not pause for a move that is refused, and one may start just now.
  await refuseServices()
  await keepMover(db, id)
  // On SQLite the mover holds the lock meanwhile. It cannot renew its row, and services look for the lock.
  const renewal =
    source.engine === 'postgres' && setInterval(() => keepMover(db, id).catch(() => {}), RENEW_MS)
  try {
    await refuseServices()
    await untilAllAreFrozen(db, id, say)
    return await work(id)
  } finally {
    if (renewal) clearInterval(renewal)
    // Otherwise the services go on when its lease has ended.
    await removeInstance(db, id).catch(() => {})
  }
}

function refuseInUse(services: number): void {
  if (services === 0) return
  const who = services === 1 ? 'A service uses' : `${services} instances of the service use`
  throw new Error(
    `${who} the source. Stop it first (one that was killed counts for 30 s), or add --read-only: then it answers reads only until the move is done.`,
  )
}

async function untilAllAreFrozen(db: Db, id: string, say: (words: string) => void): Promise<void> {
  const endsAt = performance.now() + PATIENCE_MS
  for (let isFirst = true; ; isFirst = false) {
    const services = await listServices(db)
    if (services.every(({ frozen }) => frozen === 1)) return
    if (isFirst) say('Waiting until the running service refuses writes.')
    if (performance.now() > endsAt) {
      throw new Error('The running service does not stop writing. Stop it, and run the move again.')
    }
    await pause(LOOK_AGAIN_MS)
    await keepMover(db, id)
  }
}
