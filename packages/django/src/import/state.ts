import { isObject } from '../../../server/src/kernel/json-object.ts'
import type { Handle, Tx } from '../../../server/src/storage/handle.ts'
import { addProgressIfNone, findProgress, holdProgress, putProgress } from './import-queries.ts'

export type Phase = 'users' | 'conflicts' | 'sessions' | 'ended_sessions' | 'blacklist' | 'done'

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
}

const NAME = 'state'

/** The state of the interrupted import, or of a new one. `stored` is what the database has. */
export async function nextState(
  handle: Handle,
): Promise<{ state: State; stored: string | null; isResumed: boolean }> {
  const stored = (await findProgress(handle, NAME))?.value ?? null
  const parsed: unknown = JSON.parse(stored ?? 'null')
  const last = isObject(parsed) ? (parsed as State) : { run: 0, phase: 'done' as const }
  if (last.phase !== 'done') return { state: last as State, stored, isResumed: true }
  const state: State = { run: last.run + 1, phase: 'users', after: null, seen: 0, counts: {} }
  return { state, stored, isResumed: false }
}

/** Two imports at the same time would import the same batch. The second one stops. */
export class OtherImport extends Error {}

/**
 * Locks the state until the end of the transaction. Throws if another import has written it since
 * it was read. There is nothing to release, so a killed import blocks nobody.
 */
export async function holdState(tx: Tx, stored: string | null): Promise<void> {
  const isOurs =
    stored === null
      ? await addProgressIfNone(tx, { name: NAME, value: 'null' })
      : await holdProgress(tx, NAME, stored)
  if (!isOurs) throw new OtherImport('Another import is running, so this one has stopped.')
}

/** Returns what the database has now. */
export async function keepState(tx: Tx, state: State): Promise<string> {
  const value = JSON.stringify(state)
  await putProgress(tx, { name: NAME, value })
  return value
}
