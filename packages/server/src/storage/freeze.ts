import { frozenError } from './faults.ts'

/** On while `latchkey move` copies the database. */
export type Freeze = { isOn: boolean }

/**
 * Reads, the ends of transactions, and the table in which an instance reports that it is frozen. Not the
 * beginning of one: on SQLite it would wait for the lock of the mover, and stop the whole process.
 */
const ALLOWED =
  /^\s*(select\b(?!.*\bfor update\b)|commit|rollback|(insert into|update|delete from) "latchkey_instances")/is

/**
 * Refuses writes at once while the freeze is on. The database would refuse them, too, but only after
 * a wait in which they hold connections that reads need.
 */
export function refuseIfFrozen({ isOn }: Freeze, sql: string): void {
  if (isOn && !ALLOWED.test(sql)) throw frozenError()
}
