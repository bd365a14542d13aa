import type { Scope } from '../../core/admin-caller.ts'
import type { Tx } from '../../storage/handle.ts'
import type { Operator } from '../audit/audit.ts'

/** Who calls an operation, and what they may do. */
export type Actor = Operator & {
  readonly kind: 'cli' | 'host' | 'key' | 'person'
  /** The row of the user, for a person. */
  readonly id?: number
  /**
   * - `all`: a command or the host, which could change the database anyway
   * - `superuser`, `staff`: a person, by the flags that they had when the request was authenticated.
   *   A change reads the flags again, inside its transaction
   * - a list: the scopes of a key
   */
  readonly may: 'all' | 'superuser' | 'staff' | readonly Scope[]
  /** Refuses if the session or key of the request has been ended. Asked inside the transaction. */
  readonly mustBeValid?: (tx: Tx) => Promise<void>
  /** Allows a command to remove the last active superuser. */
  readonly force?: boolean
}

/** The part of an actor that goes into the audit. */
export const operatorOf = ({
  may: _may,
  force: _force,
  id: _id,
  mustBeValid: _mustBeValid,
  ...operator
}: Actor): Operator => operator
