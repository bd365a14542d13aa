import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import type { PasswordHasher } from '../../crypto/password-hash/password-hasher.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type Fault, fault, problem } from '../../problems.ts'
import type { Settings } from '../../settings.ts'
import type { Stores } from '../../stores.ts'
import type { Audit } from '../audit/audit.ts'
import { accountOf } from '../limits/counted-by.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { NewSession, Sessions } from '../sessions/sessions.ts'
import { revokeEverything, revokeOtherLogins } from '../tokens/revocation.ts'
import type { Identity } from '../users/identity.ts'
import type { Guesses } from './guesses.ts'
import { hashNewPassword, type NewPassword } from './new-password.ts'
import type { PasswordRules } from './password-rules.ts'

export type PasswordChange = ReturnType<typeof createPasswordChange>

type Needs = {
  stores: Stores
  sessions: Sessions
  outbox: Outbox
  audit: Audit
  guesses: Guesses
  rules: PasswordRules
  hasher: PasswordHasher
  settings: Settings
  clock: Clock
}

/** By the user himself, who is signed in. */
export function createPasswordChange(needs: Needs) {
  const { stores, sessions, outbox, audit, guesses, rules, hasher, settings, clock } = needs
  const { LOGOUT_ON_PASSWORD_CHANGE } = settings.REST_AUTH

  return {
    /** A stolen session must not be a way to guess the password: the limit is that of login. */
    async checkOld({ user }: Identity, oldPassword: string, turn: Turn): Promise<Fault[]> {
      const attempt = { account: accountOf(user), address: turn.client }
      await guesses.refuseIfTooMany(attempt)
      const isRight = await hasher.verify(oldPassword, user.password, turn)
      if (!isRight) {
        await guesses.count(attempt)
        return [fault('old_password_wrong')]
      }
      // Guesses that were made meanwhile count, too.
      await guesses.refuseIfTooMany(attempt)
      return []
    },

    /** The session in use goes on under a new id, which is returned. */
    async change(identity: Identity, typed: NewPassword, turn: Turn): Promise<NewSession | null> {
      const { user, via, loginId } = identity
      const hash = await hashNewPassword(typed, user, turn, { rules, hasher })
      return stores.transaction(async (tx) => {
        const changed = await tx.users.changePassword(user, hash)
        // Reset, changed or deactivated meanwhile: the credential is no longer good.
        if (!changed) throw problem('not_authenticated')
        await outbox.notify(changed, 'password-changed', tx)
        await audit.record({ userId: user.id, event: 'password_changed' }, tx.audit)
        if (LOGOUT_ON_PASSWORD_CHANGE) {
          await revokeEverything(tx, user.id, clock.now())
          return null
        }
        await revokeOtherLogins(tx, user.id, loginId, clock.now())
        return via === 'session' && loginId !== null ? sessions.rotate(loginId, tx.logins) : null
      })
    },
  }
}
