import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import { type Problem, problem } from '../../kernel/problems.ts'
import type { User } from '../../storage/schema.ts'
import { accountNamed, accountOf } from '../limits/limits.ts'
import type { UpToPasskeys } from '../passkeys/feature.ts'
import type { Gate, LoginAnswer, Visitor } from './gate.ts'

export type Login = ReturnType<typeof createLogin>

export type PasswordCredentials = { username: string; email: string; password: string }

/**
 * Logs in with a password. The limit of failed logins is asked twice. The first time is before the
 * hash, so that a locked account costs no work. The second is after it: of many guesses that ran in
 * parallel, a right one must not get through once the others have used up the limit.
 */
export function createLogin(house: UpToPasskeys & { gate: Gate }) {
  const { users, gate, failedLogins, hasher, hashKinds, settings, metrics } = house
  const { LOGIN_METHODS } = settings.ACCOUNT

  return {
    async withPassword(given: PasswordCredentials, visitor: Visitor): Promise<LoginAnswer> {
      const named = users.identifierOf(given)
      if (!named) throw nameIsMissing()
      const user = await named.find()
      const account = user ? accountOf(user) : accountNamed(named.key)
      const attempt = { account, address: visitor.address }
      await failedLogins.refuseIfTooMany(attempt)

      // An unknown or inactive user costs one hash, too. Otherwise the time would tell who exists.
      const stored = user?.is_active ? user.password : null
      // A guess whose client has gone is not checked, so the client learns nothing from it. All
      // other guesses count.
      const turn = { client: visitor.address, isLogin: true, gone: visitor.gone }
      const inUse = await hashKinds.inUse()
      const isRight = await hasher.verify(given.password, stored, inUse, turn)
      if (!user || !isRight) {
        metrics.countLogin('failure')
        await failedLogins.count(attempt)
        throw problem('wrong_credentials')
      }
      await failedLogins.refuseIfTooMany(attempt)
      await failedLogins.forgive(attempt)
      await renewHash(user, given.password, turn)
      return gate.completeLogin(user, { method: 'password', isStrong: false, visitor })
    },
  }

  function nameIsMissing(): Problem {
    if (!LOGIN_METHODS.includes('username')) return problem('email_and_password_needed')
    if (!LOGIN_METHODS.includes('email')) return problem('username_and_password_needed')
    return problem('identifier_and_password_needed')
  }

  async function renewHash(user: User, password: string, turn: Turn): Promise<void> {
    if (!hasher.needsRehash(user.password)) return
    const renewed = await hasher.hash(password, turn)
    await users.renewHash(user, renewed)
  }
}
