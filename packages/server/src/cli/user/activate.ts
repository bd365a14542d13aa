import { asks } from '../ask.ts'
import { command } from '../command.ts'
import { refusal, wordsFor } from '../refusal.ts'
import { nameOf, userJson } from './user-json.ts'
import { forceOption, USER, userCommand, userOptions, withUser } from './with-user.ts'

export const userActivate = userCommand(async (call, user, accounts) => {
  await accounts.run('users.activate', user)
  call.say(`${nameOf(user)} is active.`, userJson({ ...user, is_active: 1 }))
})

export const userDeactivate = userCommand(async (call, user, accounts) => {
  await accounts.run('users.deactivate', user)
  call.say(
    `${nameOf(user)} is inactive and logged out everywhere.`,
    userJson({ ...user, is_active: 0 }),
  )
}, forceOption)

export const userDelete = command({
  argument: USER,
  options: {
    yes: { type: 'flag', doc: 'Delete without asking' },
    ...forceOption,
    ...userOptions,
  },
  run: (call) =>
    withUser(call, async (user, accounts) => {
      const question = `Delete ${nameOf(user)} and all their data? [y/N] `
      const isSure =
        call.values.yes || (await asks(question, 'Use --yes to delete without asking.', call.io))
      if (!isSure) throw refusal('Nothing was deleted.')
      const gone = `${nameOf(user)} was deleted by somebody else in the meantime.`
      await accounts.run('users.delete', user).catch(wordsFor('not_found', gone))
      call.say(`${nameOf(user)} is deleted.`, userJson(user))
    }),
})
