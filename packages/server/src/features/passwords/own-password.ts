import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import type { PasswordHasher } from '../../crypto/password-hash/password-hasher.ts'
import type { User } from '../../storage/schema.ts'
import { accountOf } from '../limits/counted-by.ts'
import type { FailedLogins } from '../limits/failed-logins.ts'

export type OwnPassword = ReturnType<typeof createOwnPassword>

type Needs = { failedLogins: FailedLogins; hasher: PasswordHasher }

/** The password of a user who is signed in already. */
export function createOwnPassword({ failedLogins, hasher }: Needs) {
  return {
    /**
     * Checks it with the limit of login. Otherwise a stolen credential could be used to guess the
     * password.
     */
    async isRight(user: User, password: string, turn: Turn): Promise<boolean> {
      const attempt = { account: accountOf(user), address: turn.client }
      await failedLogins.refuseIfTooMany(attempt)
      const isRight = await hasher.verify(password, user.password, turn)
      if (!isRight) await failedLogins.count(attempt)
      // Checked again: guesses made in the meantime count, too.
      else await failedLogins.refuseIfTooMany(attempt)
      return isRight
    },
  }
}
