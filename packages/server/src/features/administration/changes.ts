import { unusablePassword } from '../../crypto/password-hash/password-hasher.ts'
import type { Tx } from '../../storage/handle.ts'
import type { Flag, User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { UpToAccount } from '../account/feature.ts'
import type { Operator } from '../audit/audit.ts'
import type { Values } from '../users/user-values.ts'
import type { UserDetails } from '../users/users.ts'

export type NewAccount = {
  username: string
  email: string
  /** If null, the user cannot log in with a password. */
  password: string | null
  verified: boolean
  active: boolean
  /** Of the fields in `USER_FIELDS`. */
  values?: Values
}

/** The fields that an operator changes. Fields that are not given stay the same. */
export type AccountChanges = {
  names?: UserDetails
  isStaff?: boolean
  isSuperuser?: boolean
  groups?: readonly string[]
  /** Of the fields in `USER_FIELDS`. */
  values?: Values
}

const BATCH = 100

/**
 * The changes that an operator can make. Each leaves an audit row that says who made it, and from
 * where.
 */
export function changesBy(operator: Operator, house: UpToAccount) {
  const { db, audit, events, users, userFields, revocation } = house
  const { mfa, devices, erase, dossier, hasher } = house

  const record = (userId: number, event: string, tx: Tx) =>
    audit.record({ userId, event, details: operator }, tx)

  const revoke = (id: number) =>
    transaction(db, async (tx) => {
      await revocation.ofEverything(id, tx)
      await record(id, 'credentials_revoked', tx)
    })

  return {
    async create({ password, values = {}, ...account }: NewAccount): Promise<User> {
      const hash = password === null ? unusablePassword() : await hasher.hash(password)
      return transaction(db, async (tx) => {
        const user = await users.add({ ...account, password: hash }, tx)
        await record(user.id, 'user_created', tx)
        const { user: added } = await userFields.set(user.id, values, tx)
        await events.note('registered', added, { method: 'operator' }, tx)
        return added
      })
    },

    set: (user: User, { names = {}, values = {}, ...standing }: AccountChanges): Promise<User> =>
      transaction(db, async (tx) => {
        const columns = columnsOf(standing)
        const given = [...Object.keys({ ...names, ...columns, ...values })]
        const fields = given.map((name) => (name === 'group_names' ? 'groups' : name)).join(',')
        const { user: current } = await userFields.set(user.id, values, tx)
        await users.change(current, names, tx)
        if (Object.keys(columns).length > 0) await users.setStanding(user.id, columns, tx)
        await audit.record(
          { userId: user.id, event: 'user_changed', details: { ...operator, fields } },
          tx,
        )
        return (await users.findById(user.id, tx)) ?? current
      }),

    activate: (user: User) =>
      transaction(db, async (tx) => {
        await users.setActive(user.id, true, tx)
        await record(user.id, 'user_activated', tx)
      }),

    /** The API token is kept, but refused until the user is active again. */
    deactivate: (user: User) =>
      transaction(db, async (tx) => {
        await users.setActive(user.id, false, tx)
        await revocation.ofOtherLogins(user.id, null, tx)
        await record(user.id, 'user_deactivated', tx)
      }),

    async setPassword(user: User, password: string): Promise<void> {
      const hash = await hasher.hash(password)
      await transaction(db, async (tx) => {
        await users.replacePassword(user.id, hash, tx)
        await revocation.ofEverything(user.id, tx)
        await record(user.id, 'password_set', tx)
        await events.note('passwordChanged', user, { method: 'operator' }, tx)
      })
    },

    /** Revokes every credential of the user, on every device. */
    revoke: ({ id }: User) => revoke(id),

    /**
     * Revokes all users, each in their own transaction. So each one is short, even with a distant
     * database, and no login waits for all. Returns how many there were.
     */
    async revokeAll(note: (done: number) => void): Promise<number> {
      let done = 0
      for await (const page of users.idPages(BATCH)) {
        for (const { id } of page) await revoke(id)
        done += page.length
        note(done)
      }
      return done
    },

    /** Ends one login, or the API token. Returns whether the user had it. */
    endLogin: (user: User, id: string): Promise<boolean> => devices.endFor(user, id, operator),

    /** Returns whether there was a second factor. The user has to log in again everywhere. */
    resetMfa: (user: User): Promise<boolean> =>
      transaction(db, async (tx) => {
        await users.lock(user.id, tx)
        const wasOn = await mfa.reset(user, operator, tx)
        if (wasOn) await revocation.ofEverything(user.id, tx)
        return wasOn
      }),

    /** Everything that is stored about the user, and its schema. */
    async export(user: User) {
      return { known: await dossier.of(user, operator), schema: dossier.schema }
    },

    /** Returns false if the user is gone already. */
    remove: ({ id }: User): Promise<boolean> => erase((tx) => users.lock(id, tx), operator),
  }
}

type Standing = Omit<AccountChanges, 'names' | 'values'>

const columnsOf = ({ isStaff, isSuperuser, groups }: Standing) => ({
  ...(isStaff !== undefined && { is_staff: flagOf(isStaff) }),
  ...(isSuperuser !== undefined && { is_superuser: flagOf(isSuperuser) }),
  ...(groups && { group_names: JSON.stringify(groups) }),
})

const flagOf = (is: boolean): Flag => (is ? 1 : 0)
