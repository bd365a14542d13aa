import { unusablePassword } from '../../crypto/password-hash/password-hasher.ts'
import { problem } from '../../kernel/problems.ts'
import type { Tx } from '../../storage/handle.ts'
import type { Flag, User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { UpToAccount } from '../account/feature.ts'
import { keepSuperuser } from '../users/superusers.ts'
import type { Values } from '../users/user-values.ts'
import type { UserDetails } from '../users/users.ts'
import type { Actor } from './actor.ts'
import { type Ruled, refusalFor, type Target, type Touched } from './rules.ts'

export type NewAccount = Standing & {
  username: string
  email: string
  /** If null, the user cannot log in with a password. */
  password: string | null
  verified: boolean
  active: boolean
  names?: Omit<UserDetails, 'username'>
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

/** What the rules ask about every change of an account. */
export const CHANGE = { scope: 'users', needs: 'staff', changes: true } as const satisfies Ruled
/** Changes that people may make to their own account as well. */
export const OWN_CHANGE = { ...CHANGE, onOneself: true } as const satisfies Ruled

const BATCH = 100

/**
 * The changes that an actor can make. Each asks the rules while it holds the row of the user, and
 * leaves an audit row that says who made it, from where and why.
 */
export function changesBy(actor: Actor, house: UpToAccount) {
  const { db, audit, events, users, userFields, revocation } = house
  const { mfa, devices, erase, dossier, hasher } = house
  const { may: _may, force: _force, id: _id, ...operator } = actor

  const record = (userId: number, event: string, tx: Tx) =>
    audit.record({ userId, event, operator }, tx)

  /** Locks the user, and asks the rules. Refuses a user who is gone. */
  async function open(
    { id }: User,
    tx: Tx,
    rule: Ruled = CHANGE,
    touches?: (user: User) => Touched[],
  ) {
    const user = await users.lock(id, tx)
    if (!user) throw problem('not_found')
    await permit(rule, { user, ...(touches && { touches: touches(user) }) }, tx)
    return user
  }

  async function permit(rule: Ruled, target: Target, tx: Tx): Promise<void> {
    const refused = refusalFor(await asOfNow(tx), rule, target)
    if (refused) throw problem(refused)
  }

  /** Flags may have changed since the request was authenticated. */
  async function asOfNow(tx: Tx): Promise<Actor> {
    if (actor.kind !== 'person') return actor
    const self = actor.id === undefined ? undefined : await users.findById(actor.id, tx)
    if (!self?.is_active || (!self.is_staff && !self.is_superuser)) throw problem('not_allowed')
    return { ...actor, may: self.is_superuser ? 'superuser' : 'staff' }
  }

  /** Before an active superuser loses that standing. */
  async function keepLast(user: User, tx: Tx): Promise<void> {
    if (!actor.force) await keepSuperuser(user, tx)
  }

  const revoke = (user: User) =>
    transaction(db, async (tx) => {
      await open(user, tx, OWN_CHANGE)
      await revocation.ofEverything(user.id, tx)
      await record(user.id, 'credentials_revoked', tx)
    })

  return {
    async create({ password, values = {}, ...account }: NewAccount): Promise<User> {
      const { isStaff, isSuperuser, groups, names, ...details } = account
      const columns = columnsOf(account)
      const hash = password === null ? unusablePassword() : await hasher.hash(password)
      return transaction(db, async (tx) => {
        await permit(CHANGE, { user: null, touches: touchedIn(columns, null) }, tx)
        const user = await users.add({ ...details, ...names, password: hash }, tx)
        await record(user.id, 'user_created', tx)
        const hasStanding = Object.keys(columns).length > 0
        if (hasStanding) await users.setStanding(user.id, columns, tx)
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
        const before = await open(user, tx, OWN_CHANGE, (now) => touchedIn(columns, now))
        if (columns.is_superuser === 0) await keepLast(before, tx)
        const { user: current } = await userFields.set(user.id, values, tx)
        await users.change(current, names, tx)
        if (Object.keys(columns).length > 0) await users.setStanding(user.id, columns, tx)
        const details = { fields }
        await audit.record({ userId: user.id, event: 'user_changed', details, operator }, tx)
        return (await users.findById(user.id, tx)) ?? current
      }),

    activate: (user: User) =>
      transaction(db, async (tx) => {
        await open(user, tx)
        await users.setActive(user.id, true, tx)
        await record(user.id, 'user_activated', tx)
      }),

    /** The API token is kept, but refused until the user is active again. */
    deactivate: (user: User) =>
      transaction(db, async (tx) => {
        await keepLast(await open(user, tx), tx)
        await users.setActive(user.id, false, tx)
        await revocation.ofOtherLogins(user.id, null, tx)
        await record(user.id, 'user_deactivated', tx)
      }),

    async setPassword(user: User, password: string): Promise<void> {
      const hash = await hasher.hash(password)
      await transaction(db, async (tx) => {
        await open(user, tx)
        await users.replacePassword(user.id, hash, tx)
        await revocation.ofEverything(user.id, tx)
        await record(user.id, 'password_set', tx)
        await events.note('passwordChanged', user, { method: 'operator' }, tx)
      })
    },

    /** Revokes every credential of the user, on every device. */
    revoke,

    /**
     * Revokes all users, each in their own transaction. So each one is short, even with a distant
     * database, and no login waits for all. Returns how many there were.
     */
    async revokeAll(note: (done: number) => void): Promise<number> {
      let done = 0
      for await (const page of users.pages(BATCH)) {
        for (const user of page) await revoke(user)
        done += page.length
        note(done)
      }
      return done
    },

    /** Ends one login, or the API token. Returns whether the user had it. */
    endLogin: (user: User, id: string): Promise<boolean> =>
      transaction(db, async (tx) => {
        await open(user, tx, OWN_CHANGE)
        return devices.endFor(user, id, operator, tx)
      }),

    /** Returns whether there was a second factor. The user has to log in again everywhere. */
    resetMfa: (user: User): Promise<boolean> =>
      transaction(db, async (tx) => {
        await open(user, tx)
        const wasOn = await mfa.reset(user, operator, tx)
        if (wasOn) await revocation.ofEverything(user.id, tx)
        return wasOn
      }),

    /** Everything that is stored about the user, and its schema. */
    async export(user: User) {
      await transaction(db, (tx) => open(user, tx, OWN_CHANGE))
      return { known: await dossier.of(user, operator), schema: dossier.schema }
    },

    /** Returns false if the user is gone already. */
    remove: ({ id }: User): Promise<boolean> =>
      erase(
        async (tx) => {
          const user = await users.lock(id, tx)
          if (user) await permit(CHANGE, { user }, tx)
          return user
        },
        operator,
        { force: actor.force === true },
      ),
  }
}

type Standing = Pick<AccountChanges, 'isStaff' | 'isSuperuser' | 'groups'>

const columnsOf = ({ isStaff, isSuperuser, groups }: Standing) => ({
  ...(isStaff !== undefined && { is_staff: flagOf(isStaff) }),
  ...(isSuperuser !== undefined && { is_superuser: flagOf(isSuperuser) }),
  ...(groups && { group_names: JSON.stringify(groups) }),
})

const flagOf = (is: boolean): Flag => (is ? 1 : 0)

/** What the new values change of a user, or give to a new one. */
function touchedIn(columns: ReturnType<typeof columnsOf>, now: User | null): Touched[] {
  const { is_staff: staff = 0, is_superuser: superuser = 0, group_names = '[]' } = now ?? {}
  const isNewFlag =
    (columns.is_staff ?? staff) !== staff || (columns.is_superuser ?? superuser) !== superuser
  const isNewGroup = (columns.group_names ?? group_names) !== group_names
  return [...(isNewFlag ? (['flags'] as const) : []), ...(isNewGroup ? (['groups'] as const) : [])]
}
