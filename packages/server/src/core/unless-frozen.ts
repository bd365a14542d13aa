import { isFrozen } from '../storage/faults.ts'

/** For a write that may be missed: reads go on while the database is copied. */
export function unlessFrozen(error: unknown): void {
  if (!isFrozen(error)) throw error
}
