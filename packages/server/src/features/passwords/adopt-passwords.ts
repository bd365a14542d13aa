import type { Adoptable } from '../../core/adopt.ts'
import type { UpToDevices } from '../devices/feature.ts'
import { passwordLosses, storedPassword } from '../users/adopt/adopted-password.ts'

type AdoptedPassword = {
  readonly hash: string
  /** Whether the user has an API token at the other service, too. Then the token stays. */
  readonly hasToken: boolean
}

/** New passwords of users who are here already. A new user brings the password along. */
export const createAdoptPasswords = (house: UpToDevices): Adoptable<AdoptedPassword> => ({
  // A login renews an old hash, which is no new password. The epoch grows only with a new one.
  marks: (userIds, tx) => house.users.epochsOf(userIds, tx),

  async put(brought, tx) {
    const { users, sessions, revocation, hasher, settings } = house
    const { LOGOUT_ON_PASSWORD_CHANGE } = settings.REST_AUTH
    for (const { userId, given } of brought) {
      const password = storedPassword(given.hash, hasher)
      const user = await users.lock(userId, tx)
      if (!user || user.password === password) continue
      await users.replacePassword(userId, password, tx)
      // As after a change here. JSON Web Tokens stay valid, as they do at the other service.
      await sessions.endAllOf(userId, tx)
      if (LOGOUT_ON_PASSWORD_CHANGE && !given.hasToken) await revocation.ofToken(userId, tx)
    }
    return brought.flatMap(({ userId, given }) =>
      passwordLosses(given.hash, hasher).map((loss) => ({ userId, ...loss })),
    )
  },
})
