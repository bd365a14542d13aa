import { SECOND } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { randomUuid } from '../kernel/random.ts'
import type { Connection } from '../storage/connect.ts'
import { frozenError } from '../storage/faults.ts'
import { refuseHalfMoved } from '../storage/half-moved.ts'
import { type Db, handleOf } from '../storage/handle.ts'
import {
  findMove,
  findMoveIfKnown,
  keepService,
  removeDeadInstances,
  removeInstance,
} from '../storage/instances.ts'
import { flagOf } from '../storage/schema.ts'

const LOOK_EVERY = SECOND
/** A lease lasts three times as long. */
const RENEW_AFTER = 10 * SECOND

/**
 * Keeps a row that says that this process uses the database, so that `latchkey move` does not copy it
 * under its users. If a mover announces itself, the process refuses writes and says so in the row.
 */
export function createPresence(connection: Connection, log: Log) {
  const { freeze, engine } = connection
  const db = handleOf<Db>(connection.db)
  const id = randomUuid()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  /** A time, not a count: the process or the database may stand still for longer than the lease. */
  let renewAt = 0
  let isLeaving = false
  /** What the row says; null if it is not known. */
  let reported: boolean | null = null

  async function look(): Promise<void> {
    connection.checkFile()
    const move = await findMove(connection)
    const isFrozen = move !== 'none'
    if (freeze.isOn !== isFrozen) tell(isFrozen)
    freeze.isOn = isFrozen
    const isDue = performance.now() >= renewAt && (engine === 'postgres' || !isFrozen)
    // Nobody can write to a locked SQLite.
    if (move === 'locked') reported = null
    else if (isDue || reported !== isFrozen) await report(isFrozen)
    // With the row of a killed mover, any other lock would look like a move.
    if (isDue && !isFrozen) await removeDeadInstances(db)
  }

  async function report(isFrozen: boolean): Promise<void> {
    const now = performance.now()
    await keepService(db, id, flagOf(isFrozen))
    renewAt = now + RENEW_AFTER
    reported = isFrozen
  }

  function lookLater(): void {
    timer = setTimeout(() => {
      // If the database is away, the next look finds out what has changed.
      looking = look()
        .catch(() => {})
        .finally(() => !isLeaving && lookLater())
    }, LOOK_EVERY).unref()
  }

  function tell(isFrozen: boolean): void {
    if (isFrozen)
      log.warn({}, '"latchkey move" copies the database: writes are refused until it is done')
    else log.info({}, 'the database is no longer being copied: writes are accepted again')
  }

  return {
    /** For commands and migrations, which do not join. The database may be older than this version. */
    async freezeIfMoved(): Promise<void> {
      freeze.isOn = (await findMoveIfKnown(connection)) !== 'none'
    },

    /** Before the first request. The row comes before the look, so a mover sees it or is seen here. */
    async join(): Promise<void> {
      if (freeze.isOn) throw frozenError()
      await report(false)
      await look()
      if (freeze.isOn) throw frozenError()
      // A move into this database may have begun since the migrations.
      await refuseHalfMoved(connection)
      await removeDeadInstances(db)
      lookLater()
    },

    async leave(): Promise<void> {
      isLeaving = true
      clearTimeout(timer)
      await looking
      if (reported === null) return
      // The row of a process that cannot remove it ends with its lease.
      await removeInstance(db, id).catch(() => {})
    },
  }
}
