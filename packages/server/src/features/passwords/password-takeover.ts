import type { TakeoverPart } from '../../core/takeover.ts'
import type { UpToDevices } from '../devices/feature.ts'
import { passwordLosses, storedPassword } from '../users/takeover/adopted-password.ts'

/** The password of a user. It comes with the user, so that nothing is left to add. */
export const passwordTakeover = (house: UpToDevices): TakeoverPart => ({
  name: 'password',
  of: ({ password }) => password,
  // A login renews an old hash, which is no new password. The epoch grows only with a new one.
  marks: (userIds, tx) => house.users.epochsOf(userIds, tx),
  add: async () => [],
  async replace({ userId, source }, tx) {
    const { users, sessions, revocation, hasher, settings } = house
    const password = storedPassword(source, hasher)
    const user = await users.lock(userId, tx)
    if (user && user.password !== password) {
      await users.replacePassword(userId, password, tx)
      // As after a change here. JSON Web Tokens of the project stay, as they do there.
      await sessions.endAllOf(userId, tx)
      const endsToken = settings.REST_AUTH.LOGOUT_ON_PASSWORD_CHANGE && source.token === null
      if (endsToken) await revocation.ofToken(userId, tx)
    }
    return passwordLosses(source, hasher)
  },
})
