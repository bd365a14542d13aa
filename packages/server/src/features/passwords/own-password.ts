import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import type { PasswordHasher } from '../../crypto/password-hash/password-hasher.ts'
import type { User } from '../../storage/schema.ts'
import type { FailedLogins } from '../limits/failed-logins.ts'
import { accountOf } from '../limits/limits.ts'
import type { HashKinds } from '../users/hash-kinds.ts'

export type OwnPassword = ReturnType<typeof createOwnPassword>

type Needs = { failedLogins: FailedLogins; hasher: PasswordHasher; hashKinds: HashKinds }

/** The password of a user who is signed in already. */
export function createOwnPassword({ failedLogins, hasher, hashKinds }: Needs) {
  return {
    /**
     * Checks it with the limit of login. Otherwise a stolen credential could be used to guess the
     * password.
     */
    async isRight(user: User, password: string, turn: Turn): Promise<boolean> {
      const attempt = { account: accountOf(user), address: turn.client }
      await failedLogins.refuseIfTooMany(attempt)
      const inUse = await hashKinds.inUse()
      const isRight = await hasher.verify(password, user.password, inUse, turn)
      if (!isRight) await failedLogins.count(attempt)
      // Checked again: guesses made in the meantime count, too.
      else await failedLogins.refuseIfTooMany(attempt)
      return isRight
    },
  }
}
