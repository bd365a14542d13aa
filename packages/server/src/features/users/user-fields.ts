import { digest } from '../../crypto/digests.ts'
import { type Fault, fault, fieldProblem, type Problem, problem } from '../../kernel/problems.ts'
import type { UserFields as Declared, FieldValue } from '../../kernel/user-fields/user-field.ts'
import type { Handle, Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { findHolder, holdValue, releaseValue } from './user-fields-queries.ts'
import { storedIn, type Values } from './user-values.ts'
import { changeUser, lockUser } from './users-queries.ts'

export type UserFields = ReturnType<typeof createUserFields>

/** The fields of `USER_FIELDS`. Their values are stored in the row of the user. */
export function createUserFields(declared: Declared) {
  /** The key of a value that only one user can have. */
  const uniqueKey = (name: string, value: FieldValue | undefined): string | null =>
    declared[name]?.unique ? heldKey(value) : null

  /** The names of the unique fields that would change. */
  const uniqueIn = (values: Values, user: User | null): string[] =>
    changedIn(values, user ? storedIn(user) : {}).filter((name) => uniqueKey(name, values[name]))

  return {
    declared,

    uniqueIn,

    /** The faults of values that other users have. Others can still take one before the change. */
    async check(
      values: Values,
      user: User | null,
      within: Handle,
    ): Promise<Record<string, Fault[]>> {
      const faults: Record<string, Fault[]> = {}
      for (const name of uniqueIn(values, user)) {
        const holder = await findHolder(within, name, keyOf(values[name]))
        if (holder && holder.user_id !== user?.id) faults[name] = [fault('not_unique')]
      }
      return faults
    },

    /** Returns the names of the fields that changed. Fields that are not given stay the same. */
    async set(id: number, values: Values, tx: Tx): Promise<{ user: User; changed: string[] }> {
      const user = await lockUser(tx, id)
      if (!user) throw problem('user_inactive_or_deleted')
      const stored = storedIn(user)
      const changed = changedIn(values, stored)
      if (changed.length === 0) return { user, changed }
      for (const name of changed) {
        // Even if the field is no longer unique: otherwise its old value would stay taken forever.
        await releaseValue(tx, id, name)
        const digest = uniqueKey(name, values[name])
        const isFree = digest === null || (await holdValue(tx, { name, digest, user_id: id }))
        if (!isFree) throw notUniqueIn(name)
      }
      const extra = JSON.stringify({ ...stored, ...values })
      return { user: (await changeUser(tx, id, { extra })) ?? user, changed }
    },
  }
}

/** The names of the unique fields. */
export const uniqueNames = (declared: Declared): string[] =>
  Object.keys(declared).filter((name) => declared[name]?.unique)

/** The refusals of values that another user has, one for each of these fields. */
export const notUnique = (names: readonly string[]): (() => Problem)[] =>
  names.map((name) => () => notUniqueIn(name))

const notUniqueIn = (name: string) => fieldProblem({ [name]: [fault('not_unique')] })

const changedIn = (values: Values, stored: Values): string[] =>
  Object.keys(values).filter((name) => keyOf(values[name]) !== keyOf(stored[name]))

/** The key of a value that one user can hold; null for a missing or blank one. */
export const heldKey = (value: FieldValue | undefined): string | null =>
  value === null || value === undefined || value === '' ? null : keyOf(value)

const keyOf = (value: FieldValue | undefined): string => digest(JSON.stringify(value) ?? '')
