import {
  type PasswordHasher,
  unusablePassword,
} from '../../crypto/password-hash/password-hasher.ts'
import type { Clock } from '../../kernel/clock.ts'
import { readId } from '../../kernel/ids.ts'
import type { User } from '../../storage/schema.ts'
import type { Stores } from '../../stores.ts'
import type { Audit } from '../audit/audit.ts'
import type { Mfa } from '../mfa/mfa.ts'
import { revokeEverything, revokeOtherLogins } from '../tokens/revocation.ts'
import type { Users } from '../users/users.ts'

export type Administration = ReturnType<typeof createAdministration>

export type NewAccount = {
  username: string
  email: string
  /** Without one the user cannot log in by password. */
  password: string | null
  verified: boolean
  active: boolean
}

type Needs = {
  stores: Stores
  audit: Audit
  users: Users
  mfa: Mfa
  hasher: PasswordHasher
  clock: Clock
}

const HISTORY_LENGTH = 20

/** What an operator may do to an account, whoever owns it. */
export function createAdministration({ stores, audit, users, mfa, hasher, clock }: Needs) {
  return {
    list: stores.users.list,

    /** By username, address or pk, in that order. */
    async find(name: string): Promise<User | undefined> {
      const byName = await users.findByName(name)
      const pk = readId(name)
      return byName ?? (pk === null ? undefined : users.findById(pk))
    },

    async create({ password, ...account }: NewAccount): Promise<User> {
      const hash = password === null ? unusablePassword() : await hasher.hash(password)
      return users.add({ ...account, password: hash })
    },

    activate: (user: User) => stores.users.setActive(user.id, true),

    /** The API token stays, and is refused, until the user is active again. */
    deactivate: (user: User) =>
      stores.transaction(async (tx) => {
        await tx.users.setActive(user.id, false)
        await revokeOtherLogins(tx, user.id, null, clock.now())
      }),

    async setPassword(user: User, password: string): Promise<void> {
      const hash = await hasher.hash(password)
      await stores.transaction(async (tx) => {
        await tx.users.replacePassword(user.id, hash)
        await revokeEverything(tx, user.id, clock.now())
      })
    },

    /** Every credential of the user, on every device. */
    revoke: (user: User) => stores.transaction((tx) => revokeEverything(tx, user.id, clock.now())),

    /** Tells whether there was a second factor. Whoever is logged in has to log in again. */
    resetMfa: (user: User): Promise<boolean> =>
      stores.transaction(async (tx) => {
        await tx.users.lock(user.id)
        const wasOn = await mfa.reset(user, tx)
        if (wasOn) await revokeEverything(tx, user.id, clock.now())
        return wasOn
      }),

    /** What happened to the account lately, newest first. */
    history: (user: User) => audit.newestOfUser(user.id, HISTORY_LENGTH),

    remove: (user: User) => stores.users.remove(user.id),
  }
}
