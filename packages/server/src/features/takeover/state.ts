import { isObject } from '../../kernel/json-object.ts'
import type { Handle } from '../../storage/handle.ts'
import { findProgress, putProgress } from './takeover-queries.ts'

export const PHASES = ['users', 'sessions', 'blacklist', 'done'] as const

export type Phase = (typeof PHASES)[number]

/** How far an import has come. It is written with each batch, so that a broken-off one goes on. */
export type State = {
  /** The number of the import. */
  readonly run: number
  readonly phase: Phase
  /** The last key of the phase that was dealt with. */
  readonly after: string | number | null
  /** How many rows of the phase were dealt with. */
  readonly seen: number
  readonly counts: Readonly<Record<string, number>>
}

const NAME = 'state'

/** The import that was broken off, or a new one. */
export async function nextState(handle: Handle): Promise<{ state: State; isResumed: boolean }> {
  const stored: unknown = JSON.parse((await findProgress(handle, NAME))?.value ?? 'null')
  const last = isObject(stored) ? (stored as State) : { run: 0, phase: 'done' as const }
  if (last.phase !== 'done') return { state: last as State, isResumed: true }
  const state: State = { run: last.run + 1, phase: 'users', after: null, seen: 0, counts: {} }
  return { state, isResumed: false }
}

export const keepState = (handle: Handle, state: State): Promise<void> =>
  putProgress(handle, { name: NAME, value: JSON.stringify(state) })
