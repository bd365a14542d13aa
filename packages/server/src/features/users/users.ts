import type { Clock } from '../../kernel/clock.ts'
import { isUsername, nameKey, normalizeUsername } from '../../kernel/names.ts'
import { skeletonOf } from '../../kernel/skeleton.ts'
import { type Fault, fault, fieldProblem, type Problem, problem } from '../../problems.ts'
import type { Settings } from '../../settings.ts'
import { isUniqueViolation } from '../../storage/faults.ts'
import type { User } from '../../storage/schema.ts'
import type { NameChanges } from '../limits/name-changes.ts'
import { usernameFrom, withSuffix } from './free-username.ts'
import type { NewUser, UsersStore } from './users-store.ts'

export type Users = ReturnType<typeof createUsers>

export type UserDetails = { username?: string; first_name?: string; last_name?: string }

export type AccountDetails = {
  username: string
  /** Empty for none. */
  email: string
  /** Already hashed, or unusable: hashing never happens in here. */
  password: string
  verified: boolean
  active: boolean
  first_name?: string
  last_name?: string
}

/** Enough tries to find a free name, whatever others do at the same time. */
const NAME_TRIES = 8

type Needs = {
  store: UsersStore
  nameChanges: NameChanges
  settings: Settings
  clock: Clock
}

export function createUsers({ store, nameChanges, settings, clock }: Needs) {
  const looksCount = settings.ACCOUNT.USERNAME_SKELETONS

  return {
    findById: store.findById,
    findByEmail,
    findByUsername,
    holderOf,

    /**
     * An address wins over a username that looks like one, so that nobody can take over the login
     * of another by choosing his address for a username. Both are looked up in any case, since
     * the time must not tell whether the first one was found.
     */
    async findByName(name: string): Promise<User | undefined> {
      const byEmail = nameKey(name).includes('@') ? await findByEmail(name) : undefined
      const byUsername = await findByUsername(name)
      return byEmail ?? byUsername
    },

    /** Of parallel calls with one name or one address exactly one succeeds. */
    async add(account: AccountDetails, within: UsersStore = store): Promise<User> {
      const added = await within.addIfFree(rowOf(account))
      if (added) return added
      throw await whatIsTaken(account, within)
    },

    /** Under the first wish that makes a username, with a number behind it if that is taken. */
    async addUnderFreeName(
      wishes: readonly string[],
      account: Omit<AccountDetails, 'username'>,
      within: UsersStore = store,
    ): Promise<User> {
      const name = usernameFrom(wishes)
      for (let tries = 0; tries < NAME_TRIES; tries++) {
        const username = tries === 0 ? name : withSuffix(name)
        const added = await within.addIfFree(rowOf({ ...account, username }))
        if (added) return added
        if (await isEmailTaken(account.email, within)) throw emailTaken()
      }
      throw new Error('No free username was found.')
    },

    /** Told together with all other faults of a form; between here and the change others may come. */
    async check(
      user: User,
      { username }: UserDetails,
      address: string,
    ): Promise<Record<string, readonly Fault[]>> {
      // His own name tells him nothing, in whatever case he writes it.
      if (username === undefined || nameKey(username) === user.username_key) return {}
      await nameChanges.count(user, address)
      const holder = await holderOf(username)
      return holder && holder.id !== user.id ? { username: [fault('username_taken')] } : {}
    },

    async change(user: User, { username, ...names }: UserDetails): Promise<User> {
      const isNew = username !== undefined && normalizeUsername(username) !== user.username
      const changes = { ...names, ...(isNew && usernameColumns(username)) }
      if (Object.keys(changes).length === 0) return user
      try {
        const changed = await store.change(user.id, changes)
        if (!changed) throw problem('user_inactive_or_deleted')
        return changed
      } catch (error) {
        if (isUniqueViolation(error)) throw usernameTaken()
        throw error
      }
    },
  }

  function findByEmail(email: string): Promise<User | undefined> {
    return store.findByEmail(nameKey(email))
  }

  function findByUsername(username: string): Promise<User | undefined> {
    return store.findByUsername(nameKey(username))
  }

  /** Who has the name already, or, where looks count, one that can be taken for it. */
  async function holderOf(username: string, within: UsersStore = store): Promise<User | undefined> {
    const namesake = await within.findByUsername(nameKey(username))
    if (namesake || !looksCount) return namesake
    return within.findBySkeleton(skeletonOf(normalizeUsername(username)))
  }

  async function whatIsTaken(account: AccountDetails, within: UsersStore): Promise<Problem> {
    const nameTaken = await holderOf(account.username, within)
    const addressTaken = await isEmailTaken(account.email, within)
    return fieldProblem({
      ...(nameTaken && { username: [fault('username_taken')] }),
      ...(addressTaken && { email: [fault('email_taken')] }),
    })
  }

  function usernameColumns(username: string) {
    const normal = normalizeUsername(username)
    if (!isUsername(normal)) throw fieldProblem({ username: [fault('username_invalid')] })
    return {
      username: normal,
      username_key: nameKey(normal),
      username_skeleton: looksCount ? skeletonOf(normal) : null,
    }
  }

  function rowOf({ username, email, verified, active, ...rest }: AccountDetails): NewUser {
    const address = email === '' ? '' : nameKey(email)
    return {
      first_name: '',
      last_name: '',
      ...rest,
      ...usernameColumns(username),
      email: address,
      email_key: address === '' ? null : address,
      email_verified: verified ? 1 : 0,
      is_active: active ? 1 : 0,
      joined_at: clock.now(),
      last_login_at: null,
    }
  }
}

const usernameTaken = () => fieldProblem({ username: [fault('username_taken')] })
const emailTaken = () => fieldProblem({ email: [fault('email_taken')] })

async function isEmailTaken(email: string, store: UsersStore): Promise<boolean> {
  return email !== '' && (await store.findByEmail(nameKey(email))) !== undefined
}
