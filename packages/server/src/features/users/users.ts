import type { Identity } from '../../core/identity.ts'
import type { Pk } from '../../kernel/ids.ts'
import { nameKey, normalizeUsername } from '../../kernel/names.ts'
import { fault, fieldProblem, type Problem, problem } from '../../kernel/problems.ts'
import { isUniqueViolation } from '../../storage/faults.ts'
import type { Handle, Tx } from '../../storage/handle.ts'
import { inPages } from '../../storage/pages.ts'
import { flagOf, type User } from '../../storage/schema.ts'
import type { UpToMail } from '../mail/feature.ts'
import type { HashKinds } from './hash-kinds.ts'
import { createIdentifiers } from './identifiers.ts'
import type { AccountDetails, UserDetails } from './user-rows.ts'
import { addressColumns, createUserRows, nameKeys } from './user-rows.ts'
import { loadSkeletonOf, usernameFrom, withSuffix } from './usernames.ts'
import {
  addUserIfFree,
  changeEmail,
  changePassword,
  changeUser,
  countUsers,
  findUserByEmail,
  findUserById,
  findUserByNumber,
  findUserBySkeleton,
  findUserByUsername,
  findUserByUuid,
  listEpochs,
  listUsers,
  lockUser,
  markVerified,
  noteRevocation,
  recordLogin,
  rehashPassword,
  removeUnprovedEmail,
  removeUser,
  replacePassword,
  setActive,
} from './users-queries.ts'

export type Users = ReturnType<typeof createUsers>

type Standing = Partial<Pick<User, 'is_staff' | 'is_superuser' | 'group_names'>>

/** Enough to find a free name, even if others register at the same time. */
const NAME_TRIES = 8

export function createUsers({
  db,
  clock,
  hashKinds,
  everyFeature,
  settings,
}: UpToMail & { hashKinds: HashKinds }) {
  const { LOGIN_METHODS, USERNAME_SKELETONS } = settings.ACCOUNT
  const { usernameColumns, rowOf } = createUserRows({ clock, settings })

  return {
    findById: (id: number, within: Handle = db) => findUserById(within, id),
    /** Takes the id that clients and operators know. */
    findByPk: (pk: Pk) =>
      typeof pk === 'number' ? findUserByNumber(db, pk) : findUserByUuid(db, pk),
    findByEmail,
    findByUsername,
    holderOf,

    ...createIdentifiers(LOGIN_METHODS, { findByEmail, findByUsername }),

    /** Of parallel calls with one name or address exactly one succeeds. */
    async add(account: AccountDetails, within: Handle = db): Promise<User> {
      await hashKinds.note([account.password], within)
      const added = await addUserIfFree(within, await rowOf(account))
      if (added) return added
      throw await whatIsTaken(account, within)
    },

    /** Uses the first wish that contains a username, with a number at the end if it is taken. */
    async addUnderFreeName(
      wishes: readonly string[],
      account: Omit<AccountDetails, 'username'>,
      tx: Tx,
    ): Promise<User> {
      await hashKinds.note([account.password], tx)
      const name = usernameFrom(wishes)
      for (let tries = 0; tries < NAME_TRIES; tries++) {
        const username = tries === 0 ? name : withSuffix(name)
        const added = await addUserIfFree(tx, await rowOf({ ...account, username }))
        if (added) return added
        if (await findByEmail(account.email, tx)) throw emailTaken()
      }
      throw new Error('No free username was found.')
    },

    async change(
      user: User,
      { username, ...names }: UserDetails,
      within: Handle = db,
    ): Promise<User> {
      const isNew = username !== undefined && normalizeUsername(username) !== user.username
      const changes = {
        ...names,
        ...nameKeys(names),
        ...(isNew && (await usernameColumns(username))),
      }
      if (Object.keys(changes).length === 0) return user
      try {
        const changed = await changeUser(within, user.id, changes)
        if (!changed) throw problem('user_inactive_or_deleted')
        return changed
      } catch (error) {
        if (isUniqueViolation(error)) throw fieldProblem({ username: [fault('username_taken')] })
        throw error
      }
    },

    list: (after: number, count: number): Promise<User[]> => listUsers(db, after, count),

    epochsOf: async (ids: readonly number[], tx: Tx): Promise<ReadonlyMap<number, number>> =>
      new Map((await listEpochs(tx, ids)).map(({ id, epoch }) => [id, epoch])),

    count: async (): Promise<number> => (await countUsers(db))?.count ?? 0,

    pages: (size: number) => inPages((after) => listUsers(db, after, size)),

    /** Reads the current row. Nobody else can change it until the transaction ends. */
    lock: (id: number, tx: Tx): Promise<User | undefined> => lockUser(tx, id),

    /**
     * Locks the user before a request changes how they log in, makes a credential or deletes them.
     * Refuses if the credential of the request was ended meanwhile, or if the user got a new
     * password or was deactivated. That can happen while the request hashes a password, calls a
     * hook or waits for this lock.
     */
    async stillSignedIn(identity: Identity, tx: Tx): Promise<User> {
      const { user } = identity
      const current = await lockUser(tx, user.id)
      const isSame = current?.is_active && current.epoch === user.epoch
      if (!isSame) throw problem('not_authenticated')
      // A token of another service has no row here that could be gone.
      const isValid =
        (await everyFeature.stillValid(identity, tx)) ?? current.revoked_at === user.revoked_at
      if (!isValid) throw problem('not_authenticated')
      return current
    },

    /** Undefined if the user is inactive, or the epoch has grown since they proved who they are. */
    recordLogin: (user: User, tx: Tx) => recordLogin(tx, user, clock.now()),

    /** Stores a newer hash of the same password. */
    async renewHash(user: User, hash: string): Promise<void> {
      await hashKinds.note([hash], db)
      await rehashPassword(db, user.id, user.password, hash)
    },

    /** Undefined if the user is inactive, or the epoch has grown since the request began. */
    async changePassword(user: User, hash: string, tx: Tx): Promise<User | undefined> {
      await hashKinds.note([hash], tx)
      return changePassword(tx, user, hash)
    },

    async replacePassword(id: number, hash: string, tx: Tx): Promise<void> {
      await hashKinds.note([hash], tx)
      await replacePassword(tx, id, hash)
    },

    /** Undefined if the address is no longer theirs. */
    markVerified: (id: number, emailKey: string, tx: Tx) => markVerified(tx, id, emailKey),

    /** Undefined if the address is no longer theirs, or has been proved. */
    removeUnprovedEmail: (id: number, emailKey: string, tx: Tx) =>
      removeUnprovedEmail(tx, id, emailKey),
    changeEmail: (id: number, email: string, verified: boolean, tx: Tx) =>
      changeEmail(tx, id, addressColumns(nameKey(email), verified)),

    setActive: (id: number, active: boolean, tx: Tx) => setActive(tx, id, flagOf(active)),

    /** Stored for the host; this service grants nothing by it. */
    setStanding: (id: number, standing: Standing, tx: Tx) => changeUser(tx, id, standing),

    noteRevocation: (id: number, tx: Tx) => noteRevocation(tx, id, clock.now()),

    remove: (id: number, tx: Tx) => removeUser(tx, id),
  }

  async function findByEmail(email: string, within: Handle = db): Promise<User | undefined> {
    // A Django project may have blank addresses.
    return email === '' ? undefined : findUserByEmail(within, nameKey(email))
  }

  function findByUsername(username: string): Promise<User | undefined> {
    return findUserByUsername(db, nameKey(username))
  }

  /** The user who has the name or, with `USERNAME_SKELETONS`, a similar one. */
  async function holderOf(username: string, within: Handle = db): Promise<User | undefined> {
    const namesake = await findUserByUsername(within, nameKey(username))
    if (namesake || !USERNAME_SKELETONS) return namesake
    const skeletonOf = await loadSkeletonOf()
    return findUserBySkeleton(within, skeletonOf(normalizeUsername(username)))
  }

  async function whatIsTaken(account: AccountDetails, within: Handle): Promise<Problem> {
    const nameTaken = await holderOf(account.username, within)
    const addressTaken = await findByEmail(account.email, within)
    return fieldProblem({
      ...(nameTaken && { username: [fault('username_taken')] }),
      ...(addressTaken && { email: [fault('email_taken')] }),
    })
  }
}

export const emailTaken = () => fieldProblem({ email: [fault('email_taken')] })
