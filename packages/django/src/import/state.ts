import { isObject } from '../../../server/src/kernel/json-object.ts'
import type { Handle, Tx } from '../../../server/src/storage/handle.ts'
import { addProgressIfNone, findProgress, holdProgress, putProgress } from './import-queries.ts'

export type Phase = 'users' | 'conflicts' | 'sessions' | 'ended_sessions' | 'blacklist' | 'done'

/** How far an import has come. */
export type Position = {
  readonly phase: Phase
  /** The last key of the phase that was dealt with. */
  readonly after: string | number | null
  /** How many rows of the phase were dealt with. */
  readonly seen: number
}

/** It is written with each batch, so that an import that was broken off goes on. */
export type State = Position & {
  /** The number of the import. */
  readonly run: number
  readonly counts: Readonly<Record<string, number>>
}

const NAME = 'state'

/** The import that was broken off, or a new one; and the state as it is stored. */
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

/** Two imports at once would bring over the same batch. The one that comes second stops. */
export class OtherImport extends Error {}

/**
 * Holds the state until the end of the transaction. Throws if another import has written it since
 * it was read. Nothing has to be released, so an import that was killed leaves nothing behind.
 */
export async function holdState(tx: Tx, stored: string | null): Promise<void> {
  const isOurs =
    stored === null
      ? await addProgressIfNone(tx, { name: NAME, value: 'null' })
      : await holdProgress(tx, NAME, stored)
  if (!isOurs) throw new OtherImport('Another import is at work. This one has stopped.')
}

/** Returns the state as it is stored. */
export async function keepState(tx: Tx, state: State): Promise<string> {
  const value = JSON.stringify(state)
  await putProgress(tx, { name: NAME, value })
  return value
}
