import { setImmediate as nextTurn } from 'node:timers/promises'
import type { UpToAdministration } from '../../../server/src/features/administration/feature.ts'
import { createAdoptUsers } from '../../../server/src/features/users/takeover/adopt-users.ts'
import type { Db, Tx } from '../../../server/src/storage/handle.ts'
import { transaction } from '../../../server/src/storage/transaction.ts'
import { createBringSessions } from './bring-sessions.ts'
import { createBringUsers } from './bring-users.ts'
import { createCounts } from './counts.ts'
import { createPhases } from './phases.ts'
import { prepare } from './prepare.ts'
import { type Report, reportOf } from './report.ts'
import { holdState, keepState, nextState, type State } from './state.ts'
import type { TakeoverOrder, Watch } from './takeover-order.ts'
import { countKnownUsers } from './takeover-queries.ts'

type InBatch = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

class DryRun extends Error {}

/**
 * Brings over a Django project in one pass, in the order of its keys and in batches. It can be
 * broken off, and repeated while the project still serves.
 */
export function createTakeover(house: UpToAdministration) {
  const needs = { ...house, adoptUsers: createAdoptUsers(house) }

  return {
    /** How many users were brought over so far. */
    async countKnown(db: Db): Promise<number> {
      return Number((await countKnownUsers(db))?.count ?? 0)
    },

    /** `db` is one without deadlines: nobody waits for an answer. */
    async run(db: Db, order: TakeoverOrder, watch: Watch): Promise<Report> {
      if (!order.isDry) return runIn(db, order, watch, (work) => transaction(db, work))
      let report: Report | undefined
      try {
        // Later batches see what earlier ones would have written. Then all of it is undone.
        await transaction(db, async (tx) => {
          report = await runIn(tx, order, watch, (work) => work(tx))
          throw new DryRun()
        })
      } catch (error) {
        if (!(error instanceof DryRun) || !report) throw error
      }
      if (!report) throw new Error('The dry run made no report.')
      return report
    },
  }

  async function runIn(
    handle: Db | Tx,
    order: TakeoverOrder,
    { note, isStopping }: Watch,
    inBatch: InBatch,
  ): Promise<Report> {
    let { state, stored, isResumed } = await nextState(handle)
    const now = needs.clock.now()
    const phases = createPhases({
      ...needs,
      order,
      handle,
      bringUsers: createBringUsers({ ...needs, rules: order.rules }),
      bringSessions: createBringSessions({ ...needs, ...order, run: state.run, now }),
      now,
    })

    if (!isResumed)
      await write(async (tx) => {
        await prepare(order, tx)
        return state
      })
    while (state.phase !== 'done' && !isStopping()) {
      const writeBatch = await phases[state.phase](state)
      await write(async (tx) => {
        const counts = createCounts(state.counts)
        const position = await writeBatch(tx, counts)
        return { ...position, run: state.run, counts: counts.all() }
      })
      note(state.phase, state.seen)
      // SQLite answers at once, and so nothing else would get a turn until the end: no signal that
      // stops the import, and not the driver, which frees the memory of its statements then.
      await nextTurn()
    }
    return reportOf(handle, { state, isResumed, isDone: state.phase === 'done' })

    /** Writes a batch and how far it came, together. Nothing is counted twice if it is repeated. */
    async function write(work: (tx: Tx) => Promise<State>): Promise<void> {
      ;[state, stored] = await inBatch(async (tx) => {
        await holdState(tx, stored)
        const after = await work(tx)
        return [after, await keepState(tx, after)]
      })
    }
  }
}
