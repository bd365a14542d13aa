import { frozenError } from './faults.ts'

/** Frozen while `latchkey move` copies the database. */
export type Gate = { isFrozen: boolean }

/**
 * Reads, the ends of transactions, and the table in which an instance reports that it is frozen. Not the
 * beginning of one: on SQLite it would wait for the lock of the mover, and stop the whole process.
 */
const ALLOWED =
  /^\s*(select\b(?!.*\bfor update\b)|commit|rollback|(insert into|update|delete from) "latchkey_instances")/is

/**
 * Refuses writes at once while the gate is frozen. The database would refuse them, too, but only after
 * a wait in which they hold connections that reads need.
 */
export function passGate({ isFrozen }: Gate, sql: string): void {
  if (isFrozen && !ALLOWED.test(sql)) throw frozenError()
}
