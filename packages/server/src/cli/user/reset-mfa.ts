import { command } from '../command.ts'
import { USER, userOptions } from './user-argument.ts'
import { nameOf, userJson } from './user-json.ts'
import { withUser } from './with-accounts.ts'

export const userResetMfa = command({
  argument: USER,
  options: userOptions,
  run: (call) =>
    withUser(call, async (user, accounts) => {
      const wasOn = await accounts.resetMfa(user)
      const consequence = wasOn
        ? 'is off now, and all their devices are logged out'
        : 'was already off'
      call.say(`MFA of ${nameOf(user)} ${consequence}.`, userJson(user))
    }),
})
