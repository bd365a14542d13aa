import { asks } from '../ask.ts'
import { type Call, command } from '../command.ts'
import { progressOf } from '../progress.ts'
import { refusal } from '../refusal.ts'
import { USER, userOptions } from './user-argument.ts'
import { nameOf, userJson } from './user-json.ts'
import { withAccounts, withUser } from './with-accounts.ts'

const options = {
  all: { type: 'flag', doc: 'Log out all users' },
  yes: { type: 'flag', doc: 'With --all: do not ask' },
  ...userOptions,
} as const

export const userRevoke = command({
  argument: { ...USER, orOptions: [...(USER.orOptions ?? []), 'all'] },
  options,
  run: (call) => (call.values.all ? revokeAll(call) : revokeOne(call)),
})

const revokeOne = (call: Call<typeof options>): Promise<void> =>
  withUser(call, async (user, accounts) => {
    await accounts.revoke(user)
    call.say(`${nameOf(user)} is logged out everywhere.`, userJson(user))
  })

const revokeAll = (call: Call<typeof options>): Promise<void> =>
  withAccounts(call, async (accounts) => {
    const total = await accounts.count()
    const question = `Log all ${total} users out everywhere? [y/N] `
    const isSure =
      call.values.yes || (await asks(question, 'Use --yes to log out without asking.', call.io))
    if (!isSure) throw refusal('Nobody was logged out.')
    const progress = progressOf('Logged out', total, call.io)
    const revoked = await accounts.revokeAll(progress.at)
    progress.end()
    call.say(`${revoked} ${revoked === 1 ? 'user is' : 'users are'} logged out everywhere.`, {
      revoked,
    })
  })
