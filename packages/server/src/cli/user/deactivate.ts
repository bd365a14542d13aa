import { command } from '../command.ts'
import { USER, userOptions } from './user-argument.ts'
import { nameOf, userJson } from './user-json.ts'
import { withUser } from './with-accounts.ts'

export const userDeactivate = command({
  argument: USER,
  options: userOptions,
  run: (call) =>
    withUser(call, async (user, accounts) => {
      await accounts.deactivate(user)
      call.say(
        `${nameOf(user)} is inactive and logged out everywhere.`,
        userJson({ ...user, is_active: 0 }),
      )
    }),
})
