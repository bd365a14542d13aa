import type { PasswordHasher } from '../../crypto/password-hash/password-hasher.ts'
import { usernameKey } from '../../kernel/names.ts'
import { problem } from '../../problems.ts'
import type { Settings } from '../../settings.ts'
import type { User } from '../../storage/schema.ts'
import type { Stores } from '../../stores.ts'
import type { Users } from '../users/users.ts'
import type { FailedLogins } from './failed-logins.ts'
import type { Gate, LoginAnswer, Visitor } from './gate.ts'

export type Login = ReturnType<typeof createLogin>

export type PasswordCredentials = { username: string; email: string; password: string }

type Needs = {
  stores: Stores
  users: Users
  gate: Gate
  failedLogins: FailedLogins
  passwordHasher: PasswordHasher
  settings: Settings
  count(outcome: 'failure'): void
}

export function createLogin(needs: Needs) {
  const { stores, users, gate, failedLogins, passwordHasher, settings, count } = needs
  const { LOGIN_METHODS } = settings.ACCOUNT
  const byEmail = LOGIN_METHODS.includes('email')
  const byUsername = LOGIN_METHODS.includes('username')

  return {
    async withPassword(given: PasswordCredentials, visitor: Visitor): Promise<LoginAnswer> {
      const named = identifierOf(given)
      const user = await named.find()
      const account = user ? `user:${user.id}` : `name:${usernameKey(named.text)}`
      const attempt = { account, address: visitor.address }
      await failedLogins.refuseIfTooMany(attempt)

      // Nobody, and somebody who may not log in, cost as much as a wrong password.
      const stored = user?.is_active ? user.password : null
      const isRight = await passwordHasher.verify(given.password, stored)
      if (!user || !isRight) {
        count('failure')
        await failedLogins.count(attempt)
        throw problem('wrong_credentials')
      }
      await failedLogins.refuseIfTooMany(attempt)
      await failedLogins.forgive(attempt)
      await renewHash(user, given.password)
      return gate.completeLogin(user, { method: 'password', isStrong: false, visitor })
    },
  }

  /** Which of the two names counts, by `ACCOUNT_LOGIN_METHODS`. */
  function identifierOf({ username, email }: PasswordCredentials) {
    if (byEmail && email) return { text: email, find: () => users.findByEmail(email) }
    if (byUsername && username) {
      const find = byEmail ? users.findByName : users.findByUsername
      return { text: username, find: () => find(username) }
    }
    if (!byUsername) throw problem('email_and_password_needed')
    if (!byEmail) throw problem('username_and_password_needed')
    throw problem('identifier_and_password_needed')
  }

  async function renewHash(user: User, password: string): Promise<void> {
    if (!passwordHasher.needsRehash(user.password)) return
    const renewed = await passwordHasher.hash(password)
    await stores.users.rehashPassword(user.id, user.password, renewed)
  }
}
