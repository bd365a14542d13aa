import { setImmediate as nextTurn } from 'node:timers/promises'
import type { UpToAdministration } from '../../../server/src/features/administration/feature.ts'
import { NO_USER } from '../../../server/src/features/audit/audit.ts'
import type { Db, Tx } from '../../../server/src/storage/handle.ts'
import { transaction } from '../../../server/src/storage/transaction.ts'
import { createCounts } from './counts.ts'
import type { ImportOrder, Watch } from './import-order.ts'
import { countImportedUsers, dropFindingsOfKind } from './import-queries.ts'
import { createImportSessions } from './import-sessions.ts'
import { createImportUsers } from './import-users.ts'
import { keepApart } from './numbers.ts'
import { createPhases } from './phases.ts'
import { type Report, reportOf } from './report.ts'
import { holdState, keepState, nextState, onceMore, type State } from './state.ts'

type InBatch = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

class DryRun extends Error {}

/**
 * Imports a Django project in batches, in the order of its keys. An import can be interrupted, and
 * repeated while the project is still in use.
 */
export function createDjangoImport(house: UpToAdministration) {
  return {
    /** How many users were imported so far. */
    async countImported(db: Db): Promise<number> {
      return Number((await countImportedUsers(db))?.count ?? 0)
    },

    /** `db` must have no deadlines, since a batch may take long. */
    async run(db: Db, order: ImportOrder, watch: Watch): Promise<Report> {
      if (!order.isDry) return runIn(db, order, watch, (work) => transaction(db, work))
      let report: Report | undefined
      try {
        // One transaction, so that later batches see what earlier ones wrote. It is rolled back.
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
    order: ImportOrder,
    { note, isStopping }: Watch,
    inBatch: InBatch,
  ): Promise<Report> {
    let { state, stored, isResumed } = await nextState(handle)
    const now = house.clock.now()
    const phases = createPhases({
      ...house,
      order,
      handle,
      importUsers: createImportUsers(house, order),
      importSessions: createImportSessions({ ...house, ...order, now }),
      now,
    })

    if (isResumed) await write((tx) => started(state, tx))
    else await begin(state)
    await goOn({ isLast: !isResumed })
    if (isResumed && state.phase === 'done') {
      // What was read before the interruption may have changed since.
      await begin(onceMore(state))
      await goOn({ isLast: true })
    }
    return reportOf(handle, { state, isResumed, isDone: state.phase === 'done' })

    function begin(start: State): Promise<void> {
      return write(async (tx) => {
        await dropFindingsOfKind(tx, 'kept')
        // PostgreSQL would not undo it after a dry run.
        if (!order.isDry) await keepApart(order, tx)
        return start.isAgain ? start : started(start, tx)
      })
    }

    /** An import that is killed has no end in the audit, so its start is a row, too. */
    async function started(start: State, tx: Tx): Promise<State> {
      await record('import_started', {}, tx)
      return start
    }

    /** New users have no rows of their own: there may be millions. */
    function record(event: string, counts: State['counts'], tx: Tx): Promise<void> {
      const { operator } = order
      return house.audit.record({ userId: NO_USER, event, details: counts, operator }, tx)
    }

    /** Until the end, or until it is stopped. */
    async function goOn({ isLast }: { isLast: boolean }): Promise<void> {
      while (state.phase !== 'done' && !isStopping()) {
        const writeBatch = await phases[state.phase](state)
        await write(async (tx) => {
          const counts = createCounts(state.counts, state.isAgain)
          const position = await writeBatch(tx, counts)
          if (isLast && position.phase === 'done') await record('import_finished', counts.all(), tx)
          return { ...state, ...position, counts: counts.all() }
        })
        note(state.phase, state.seen, state.isAgain === true)
        // Queries of SQLite are synchronous, so nothing else would run until the end: no signal
        // handler that stops the import, and no driver code that frees the memory of statements.
        await nextTurn()
      }
    }

    /** Writes a batch together with the position, so that nothing is imported or counted twice. */
    async function write(work: (tx: Tx) => Promise<State>): Promise<void> {
      ;[state, stored] = await inBatch(async (tx) => {
        await holdState(tx, stored)
        const after = await work(tx)
        return [after, await keepState(tx, after)]
      })
    }
  }
}
