import { normalizeUsername } from '../../kernel/names.ts'
import type { Fault } from '../../kernel/problems.ts'
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
    async check(
      user: User,
      changes: Record<string, unknown>,
      address: string,
    ): Promise<Record<string, readonly Fault[]>> {
      const { names, values } = split(changes)
      const faults = await checkNames(user, names, address)
      const unique = userFields.uniqueIn(values, user)
      if (unique.length === 0) return faults
      // Without a limit, somebody could try many values to learn which are taken.
      await nameChanges.count({ account: accountOf(user), address })
      return { ...faults, ...(await userFields.check(unique, values, user, db)) }
    },

    /** `operator`: who makes the change, if it is not the user. */
    async change(
      user: User,
      changes: Record<string, unknown>,
      operator: Operator | null,
    ): Promise<User> {
      const { names, values } = split(changes)
      if (Object.keys(values).length === 0 && !operator) return users.change(user, names)
      return transaction(db, async (tx) => {
        const { user: current, changed } = await userFields.set(user.id, values, tx)
        if (operator) {
          const details = { fields: Object.keys(changes).join(',') }
          await audit.record({ userId: user.id, event: 'user_changed', details, operator }, tx)
        } else if (changed.length > 0) {
          const details = { fields: changed.join(',') }
          await audit.record({ userId: user.id, event: 'user_fields_changed', details }, tx)
        }
        return users.change(current, names, tx)
      })
    },
  }

  async function checkNames(
    user: User,
    names: UserDetails,
    address: string,
  ): Promise<Record<string, readonly Fault[]>> {
    const { username: taken = [] } = await users.check(user, names, address)
    const { username = user.username } = names
    const isNew = normalizeUsername(username) !== user.username
    const unwanted = isNew ? await usernameRules.faultsOf(username, user) : []
    const all = [...taken, ...unwanted]
    return all.length > 0 ? { username: all } : {}
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
