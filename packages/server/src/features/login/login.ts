import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import { Problem, problem } from '../../kernel/problems.ts'
import type { User } from '../../storage/schema.ts'
import { accountNamed, accountOf } from '../limits/limits.ts'
import type { UpToPasskeys } from '../passkeys/feature.ts'
import type { Identifier } from '../users/identifiers.ts'
import type { Credentials, Gate, LoginAnswer, Visitor } from './gate.ts'

export type Login<Given = Credentials> = ReturnType<typeof createLogin<Given>>

type Names = { username: string; email: string }
type PasswordCredentials = Names & { password: string }

/** People mistype a password once or twice. */
const OFTEN = 3

/** Unknown names are counted like users, so that no answer tells who exists. */
const accountBehind = ({ key }: Identifier, user: User | undefined): string =>
  user ? accountOf(user) : accountNamed(key)

/** Logs in with a password. */
export function createLogin<Given>(house: UpToPasskeys & { gate: Gate<Given> }) {
  const { users, gate, failedLogins, hasher, hashKinds, metrics } = house

  return {
    /** Whether logins of this account, existing or not, or from this address have failed often. */
    async hasFailedOften(given: Names, address: string): Promise<boolean> {
      const named = users.identifierOf(given)
      const accounts = named
        ? (await named.findBoth()).map((user) => accountBehind(named, user))
        : ['']
      for (const account of accounts) {
        if (await failedLogins.hasReached(OFTEN, { account, address })) return true
      }
      return false
    },

    async withPassword(given: PasswordCredentials, visitor: Visitor): Promise<LoginAnswer<Given>> {
      const named = users.identifierOf(given)
      if (!named) throw problem(`${users.neededName}_and_password_needed`)
      // A guess whose client has gone is not checked, so the client learns nothing from it. All
      // other guesses count.
      const turn = { ...visitor.turn, isLogin: true }
      const check = (user: User | undefined) =>
        checkPassword(user, accountBehind(named, user), given.password, turn)
      const [user, namesake] = await named.findBoth()
      const proved = await (namesake ? eitherOf(check, user, namesake) : check(user))
      await renewHash(proved, given.password, turn)
      return gate.completeLogin(proved, { method: 'password', isStrong: false, visitor })
    },
  }

  /** Returns the user, if the password is theirs. */
  async function checkPassword(
    user: User | undefined,
    account: string,
    password: string,
    turn: Turn,
  ): Promise<User> {
    const attempt = { account, address: turn.client }
    const proved = await failedLogins.guess(attempt, async () => {
      // An unknown or inactive user costs one hash, too. Otherwise the time would tell who exists.
      const stored = user?.is_active && gate.admits(user) ? user.password : null
      const isRight = await hashKinds.verify(password, stored, turn)
      if (user && isRight) return user
      metrics.countLogin('failure')
      return null
    })
    if (!proved) throw problem('wrong_credentials')
    await failedLogins.forgive(attempt)
    return proved
  }

  async function renewHash(user: User, password: string, turn: Turn): Promise<void> {
    if (!hasher.needsRehash(user.password)) return
    const renewed = await hasher.hash(password, turn)
    await users.renewHash(user, renewed)
  }
}

/**
 * For a name that is the address of one user and the username of another. Strangers can register any
 * address, so it must not keep the second user out. A lock of either is told. A login of the second still
 * counts as a failure of the first. Otherwise they could try any password there by making it their own.
 */
async function eitherOf(
  check: (user: User | undefined) => Promise<User>,
  first: User | undefined,
  second: User,
): Promise<User> {
  try {
    return await check(first)
  } catch (refusal) {
    if (!(refusal instanceof Problem) || refusal.status >= 500) throw refusal
    return check(second).catch((other) => {
      throw refusal.status === 429 ? refusal : other
    })
  }
}
