import type { Flag } from './user-tables.ts'

/** The processes that use this database. A row whose lease has ended belongs to a process that died. */
export type InstancesTable = {
  id: string
  /** A `mover` copies the database, and the others write nothing meanwhile. */
  role: 'service' | 'mover'
  /** 1 if a service has noticed the mover and refuses writes. */
  frozen: Flag
  /** By the clock of the database. */
  lease_until: number
}

/** Rows that a transaction updates to be the only one that does a certain thing. */
export type LocksTable = { name: 'superusers' }
