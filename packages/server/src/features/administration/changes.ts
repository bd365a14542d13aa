import {
  type PasswordHasher,
  unusablePassword,
} from '../../crypto/password-hash/password-hasher.ts'
import type { Db, Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { Audit } from '../audit/audit.ts'
import type { Operator } from '../audit/operator.ts'
import type { Mfa } from '../mfa/mfa.ts'
import type { Revocation } from '../tokens/revocation.ts'
import type { Users } from '../users/users.ts'

export type NewAccount = {
  username: string
  email: string
  /** If null, the user cannot log in with a password. */
  password: string | null
  verified: boolean
  active: boolean
}

export type ChangesNeeds = {
  db: Db
  audit: Audit
  users: Users
  revocation: Revocation
  mfa: Mfa
  hasher: PasswordHasher
}

const BATCH = 100

/**
 * What an operator may change. Each change leaves an audit row that says who made it and from
 * where.
 */
export function changesBy(operator: Operator, needs: ChangesNeeds) {
  const { db, audit, users, revocation, mfa, hasher } = needs

  const record = (userId: number, event: string, tx: Tx) =>
    audit.record({ userId, event, details: operator }, tx)

  const revoke = (id: number) =>
    transaction(db, async (tx) => {
      await revocation.ofEverything(id, tx)
      await record(id, 'credentials_revoked', tx)
    })

  return {
    async create({ password, ...account }: NewAccount): Promise<User> {
      const hash = password === null ? unusablePassword() : await hasher.hash(password)
      return transaction(db, async (tx) => {
        const user = await users.add({ ...account, password: hash }, tx)
        await record(user.id, 'user_created', tx)
        return user
      })
    },

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
      })
    },

    /** Revokes every credential of the user, on every device. */
    revoke: ({ id }: User) => revoke(id),

    /**
     * Everybody, each in a transaction of their own: it is over soon, however far away the database
     * is, and no login waits for those of others. Tells how many.
     */
    async revokeAll(note: (done: number) => void): Promise<number> {
      let done = 0
      let last = 0
      for (;;) {
        const ids = await users.idsAfter(last, BATCH)
        if (ids.length === 0) return done
        for (const id of ids) await revoke(id)
        last = ids.at(-1) ?? last
        done += ids.length
        note(done)
      }
    },

    /** Returns whether there was a second factor. The user has to log in again everywhere. */
    resetMfa: (user: User): Promise<boolean> =>
      transaction(db, async (tx) => {
        await users.lock(user.id, tx)
        const wasOn = await mfa.reset(user, operator, tx)
        if (wasOn) await revocation.ofEverything(user.id, tx)
        return wasOn
      }),

    /**
     * Deletes the account with its history. Only the event of the deletion stays, without a name.
     */
    remove: (user: User) =>
      transaction(db, async (tx) => {
        await users.remove(user.id, tx)
        await audit.forgetUser(user.id, tx)
        await record(user.id, 'user_deleted', tx)
      }),
  }
}
