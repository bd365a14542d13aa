import type { Identity } from '../../core/identity.ts'
import { nameKey, normalizeUsername } from '../../kernel/names.ts'
import { type Fault, fault } from '../../kernel/problems.ts'
import type { User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { Operator } from '../audit/audit.ts'
import { accountOf, type RateLimit } from '../limits/limits.ts'
import type { UpToMail } from '../mail/feature.ts'
import type { UserFields } from './user-fields.ts'
import type { UserDetails } from './user-rows.ts'
import type { Values } from './user-values.ts'
import type { UsernameRules } from './usernames.ts'
import type { Users } from './users.ts'

export type ProfileChanges = ReturnType<typeof createProfileChanges>

type Needs = UpToMail & {
  users: Users
  userFields: UserFields
  usernameRules: UsernameRules
  nameChanges: RateLimit
}

/** Changes that users make to their own names and to the fields of the deployment. */
export function createProfileChanges(house: Needs) {
  const { db, users, userFields, usernameRules, nameChanges, audit } = house

  return {
    /** Returns the faults of the fields, to be reported with all others. `change` checks again. */
    async check(
      user: User,
      changes: Record<string, unknown>,
      address: string,
    ): Promise<Record<string, readonly Fault[]>> {
      const { names, values } = split(changes)
      const { username = user.username } = names
      // Their own name is not taken, in whatever case they write it.
      const isOtherName = nameKey(username) !== nameKey(user.username)
      // Without a limit, somebody could try many names and values to learn which are taken.
      if (isOtherName || userFields.uniqueIn(values, user).length > 0) {
        await nameChanges.count({ account: accountOf(user), address })
      }
      const holder = isOtherName ? await users.holderOf(username) : undefined
      const isTaken = holder !== undefined && holder.id !== user.id
      const isNew = normalizeUsername(username) !== user.username
      const faults = [
        ...(isTaken ? [fault('username_taken')] : []),
        ...(isNew ? await usernameRules.faultsOf(username, user) : []),
      ]
      return { username: faults, ...(await userFields.check(values, user, db)) }
    },

    /** `operator`: who makes the change, if it is not the user. */
    async change(
      identity: Identity,
      changes: Record<string, unknown>,
      operator: Operator | null,
    ): Promise<User> {
      if (Object.keys(changes).length === 0 && !operator) return identity.user
      const { names, values } = split(changes)
      return transaction(db, async (tx) => {
        const user = await users.stillSignedIn(identity, tx)
        const { user: current, changed } = await userFields.set(user.id, values, tx)
        if (operator || changed.length > 0) {
          const event = operator ? 'user_changed' : 'user_fields_changed'
          const details = { fields: (operator ? Object.keys(changes) : changed).join(',') }
          await audit.record({ userId: user.id, event, details, operator }, tx)
        }
        return users.change(current, names, tx)
      })
    },
  }

  function split(changes: Record<string, unknown>): { names: UserDetails; values: Values } {
    const isDeclared = ([name]: [string, unknown]) => Object.hasOwn(userFields.declared, name)
    const all = Object.entries(changes)
    // The endpoint has read both parts with fields of exactly these types.
    return {
      names: Object.fromEntries(all.filter((one) => !isDeclared(one))) as UserDetails,
      values: Object.fromEntries(all.filter(isDeclared)) as Values,
    }
  }
}
