import {
  type PasswordHasher,
  unusablePassword,
} from '../../crypto/password-hash/password-hasher.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { User } from '../../storage/schema.ts'
import type { Stores } from '../../stores.ts'
import type { Audit } from '../audit/audit.ts'
import type { AuditStore } from '../audit/audit-store.ts'
import type { Operator } from '../audit/operator.ts'
import type { Mfa } from '../mfa/mfa.ts'
import { revokeEverything, revokeOtherLogins } from '../tokens/revocation.ts'
import type { Users } from '../users/users.ts'

export type NewAccount = {
  username: string
  email: string
  /** Without one the user cannot log in by password. */
  password: string | null
  verified: boolean
  active: boolean
}

export type ChangesNeeds = {
  stores: Stores
  audit: Audit
  users: Users
  mfa: Mfa
  hasher: PasswordHasher
  clock: Clock
}

const BATCH = 100

/** What an operator may change. Each change leaves a row that says who made it, and from where. */
export function changesBy(operator: Operator, needs: ChangesNeeds) {
  const { stores, audit, users, mfa, hasher, clock } = needs

  const record = (userId: number, event: string, within: AuditStore) =>
    audit.record({ userId, event, details: operator }, within)

  return {
    async create({ password, ...account }: NewAccount): Promise<User> {
      const hash = password === null ? unusablePassword() : await hasher.hash(password)
      return stores.transaction(async (tx) => {
        const user = await users.add({ ...account, password: hash }, tx.users)
        await record(user.id, 'user_created', tx.audit)
        return user
      })
    },

    activate: (user: User) =>
      stores.transaction(async (tx) => {
        await tx.users.setActive(user.id, true)
        await record(user.id, 'user_activated', tx.audit)
      }),

    /** The API token stays, and is refused, until the user is active again. */
    deactivate: (user: User) =>
      stores.transaction(async (tx) => {
        await tx.users.setActive(user.id, false)
        await revokeOtherLogins(tx, user.id, null, clock.now())
        await record(user.id, 'user_deactivated', tx.audit)
      }),

    async setPassword(user: User, password: string): Promise<void> {
      const hash = await hasher.hash(password)
      await stores.transaction(async (tx) => {
        await tx.users.replacePassword(user.id, hash)
        await revokeEverything(tx, user.id, clock.now())
        await record(user.id, 'password_set', tx.audit)
      })
    },

    /** Every credential of the user, on every device. */
    revoke: (user: User) =>
      stores.transaction(async (tx) => {
        await revokeEverything(tx, user.id, clock.now())
        await record(user.id, 'credentials_revoked', tx.audit)
      }),

    /** Everybody, some at a time, so that nobody waits for long; tells how many. */
    async revokeAll(note: (done: number) => void): Promise<number> {
      let done = 0
      let last = 0
      for (;;) {
        const ids = await stores.users.idsAfter(last, BATCH)
        if (ids.length === 0) return done
        await stores.transaction(async (tx) => {
          for (const id of ids) {
            await revokeEverything(tx, id, clock.now())
            await record(id, 'credentials_revoked', tx.audit)
          }
        })
        last = ids.at(-1) ?? last
        done += ids.length
        note(done)
      }
    },

    /** Tells whether there was a second factor. Whoever is logged in has to log in again. */
    resetMfa: (user: User): Promise<boolean> =>
      stores.transaction(async (tx) => {
        await tx.users.lock(user.id)
        const wasOn = await mfa.reset(user, operator, tx)
        if (wasOn) await revokeEverything(tx, user.id, clock.now())
        return wasOn
      }),

    /** The history goes with the account; that it was deleted stays, without a name. */
    remove: (user: User) =>
      stores.transaction(async (tx) => {
        await tx.users.remove(user.id)
        await tx.audit.forgetUser(user.id)
        await record(user.id, 'user_deleted', tx.audit)
      }),
  }
}
