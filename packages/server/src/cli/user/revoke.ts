import { command } from '../command.ts'
import { USER, userOptions } from './user-argument.ts'
import { nameOf, userJson } from './user-json.ts'
import { withUser } from './with-accounts.ts'

export const userRevoke = command({
  name: 'user revoke',
  summary: 'Log a user out everywhere: every token and session',
  argument: USER,
  options: userOptions,
  run: (call) =>
    withUser(call, async (user, accounts) => {
      await accounts.revoke(user)
      call.say(`${nameOf(user)} is logged out everywhere.`, userJson(user))
    }),
})
