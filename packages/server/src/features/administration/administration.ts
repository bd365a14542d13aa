import {
  type PasswordHasher,
  unusablePassword,
} from '../../crypto/password-hash/password-hasher.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { User } from '../../storage/schema.ts'
import type { Stores } from '../../stores.ts'
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

type Needs = { stores: Stores; users: Users; hasher: PasswordHasher; clock: Clock }

/** What an operator may do to an account, whoever owns it. */
export function createAdministration({ stores, users, hasher, clock }: Needs) {
  return {
    list: stores.users.list,

    /** By username, address or pk, in that order. */
    async find(name: string): Promise<User | undefined> {
      const byName = await users.findByName(name)
      return byName ?? (/^[1-9]\d{0,9}$/.test(name) ? users.findById(Number(name)) : undefined)
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

    remove: (user: User) => stores.users.remove(user.id),
  }
}
