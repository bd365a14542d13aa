import { asks } from '../ask.ts'
import { refusal, wordsFor } from '../refusal.ts'
import { forceOption, nameOf } from '../with-operations.ts'
import { userChange } from './with-user.ts'

export const userActivate = userChange({}, async (call, user, operations) => {
  await operations.run('users.activate', user)
  call.say(`${nameOf(user)} is active.`, await operations.shown(user))
})

export const userDeactivate = userChange(
  { options: forceOption },
  async (call, user, operations) => {
    await operations.run('users.deactivate', user)
    call.say(`${nameOf(user)} is inactive and logged out everywhere.`, await operations.shown(user))
  },
)

export const userMarkVerified = userChange({}, async (call, user, operations) => {
  await operations.run('users.markVerified', user)
  call.say(`The address of ${nameOf(user)} is verified.`, await operations.shown(user))
})

const deletion = { yes: { type: 'flag', doc: 'Delete without asking' }, ...forceOption } as const

export const userDelete = userChange({ options: deletion }, async (call, user, operations) => {
  const question = `Delete ${nameOf(user)} and all their data? [y/N] `
  const isSure =
    call.values.yes || (await asks(question, 'Use --yes to delete without asking.', call.io))
  if (!isSure) throw refusal('Nothing was deleted.')
  const shown = await operations.shown(user)
  const gone = `${nameOf(user)} was deleted by somebody else in the meantime.`
  await operations.run('users.delete', user).catch(wordsFor('not_found', gone))
  call.say(`${nameOf(user)} is deleted.`, shown)
})
