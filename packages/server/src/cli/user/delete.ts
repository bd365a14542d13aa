import { asks } from '../ask.ts'
import { command } from '../command.ts'
import { refusal } from '../refusal.ts'
import { USER, userOptions } from './user-argument.ts'
import { nameOf, userJson } from './user-json.ts'
import { withUser } from './with-accounts.ts'

export const userDelete = command({
  argument: USER,
  options: { yes: { type: 'flag', doc: 'Delete without asking' }, ...userOptions },
  run: (call) =>
    withUser(call, async (user, accounts) => {
      const question = `Delete ${nameOf(user)} and all their data? [y/N] `
      const isSure =
        call.values.yes || (await asks(question, 'Use --yes to delete without asking.', call.io))
      if (!isSure) throw refusal('Nothing was deleted.')
      if (!(await accounts.remove(user)))
        throw refusal(`${nameOf(user)} was deleted by somebody else in the meantime.`)
      call.say(`${nameOf(user)} is deleted.`, userJson(user))
    }),
})
