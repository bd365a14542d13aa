import { isObject } from '../../../server/src/kernel/json-object.ts'
import type { Db, Handle, Tx } from '../../../server/src/storage/handle.ts'
import { transaction } from '../../../server/src/storage/transaction.ts'
import { addProgressIfNone, findProgress, holdProgress, putProgress } from './import-queries.ts'

export type Phase =
  | 'users'
  | 'superusers'
  | 'conflicts'
  | 'sessions'
  | 'ended_sessions'
  | 'blacklist'
  | 'done'

/** The position of an import. */
export type Position = {
  readonly phase: Phase
  /** The last key that was imported in this phase. */
  readonly after: string | number | null
  /** How many rows were imported in this phase. */
  readonly seen: number
}

/** It is written with each batch, so that an interrupted import can continue. */
export type State = Position & {
  /** The number of the import. */
  readonly run: number
  readonly counts: Readonly<Record<string, number>>
  /** Set while it goes over everything once more. */
  readonly isAgain?: boolean
  /** How often an export has written here in the meantime. */
  readonly exports?: number
}

const NAME = 'state'

const NO_IMPORT: State = { run: 0, phase: 'done', after: null, seen: 0, counts: {} }

/** The state of the last import. `stored` is what the database has. */
async function lastState(handle: Handle): Promise<{ state: State; stored: string | null }> {
  const stored = (await findProgress(handle, NAME))?.value ?? null
  const parsed: unknown = JSON.parse(stored ?? 'null')
  return { state: isObject(parsed) ? (parsed as State) : NO_IMPORT, stored }
}

/** The state of the interrupted import, or of a new one. `stored` is what the database has. */
export async function nextState(
  handle: Handle,
): Promise<{ state: State; stored: string | null; isResumed: boolean }> {
  const { state, stored } = await lastState(handle)
  if (state.phase !== 'done') return { state, stored, isResumed: true }
  return { state: { ...startAfter(state), counts: {} }, stored, isResumed: false }
}

/** The start of a second look at everything, after an interrupted import has come to its end. */
export const onceMore = (state: State): State => ({
  ...startAfter(state),
  counts: state.counts,
  isAgain: true,
})

/** With a new number, so that sessions that are gone since can be told from those that are not. */
const startAfter = ({ run }: State) =>
  ({ run: run + 1, phase: 'users', after: null, seen: 0 }) as const

/**
 * Lets an export write here. An import that runs at the same time stops: it would undo what was
 * written to the project after it had read it. If an import has begun since, the export stops.
 */
export async function createExportTurns(db: Db) {
  let { state, stored } = await lastState(db)
  return async (work: (tx: Tx) => Promise<unknown>): Promise<void> => {
    ;[state, stored] = await transaction(db, async (tx) => {
      await holdState(tx, stored)
      await work(tx)
      const after = { ...state, exports: (state.exports ?? 0) + 1 }
      return [after, await keepState(tx, after)]
    })
  }
}

/** Two imports at the same time would import the same batch. The second one stops. */
export class OtherImport extends Error {}

/**
 * Locks the state until the end of the transaction. Throws if another import or an export has
 * written it since it was read. There is nothing to release, so a killed import blocks nobody.
 */
export async function holdState(tx: Tx, stored: string | null): Promise<void> {
  const isOurs =
    stored === null
      ? await addProgressIfNone(tx, { name: NAME, value: 'null' })
      : await holdProgress(tx, NAME, stored)
  if (!isOurs)
    throw new OtherImport('Another import or export is running, so this one has stopped.')
}

/** Returns what the database has now. */
export async function keepState(tx: Tx, state: State): Promise<string> {
  const value = JSON.stringify(state)
  await putProgress(tx, { name: NAME, value })
  return value
}
