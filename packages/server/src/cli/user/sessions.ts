import type { AdminUserDetails } from '../../kernel/admin-answers.ts'
import { counted } from '../../kernel/texts.ts'
import { asks } from '../ask.ts'
import { type CommandCall, command } from '../command.ts'
import { type Columns, listing, progressOf } from '../output.ts'
import { refusal } from '../refusal.ts'
import { nameOf, reasonOption, withOperations } from '../with-operations.ts'
import { endById } from './end-by-id.ts'
import { USER, userCommand, userOptions, withUser } from './with-user.ts'

const columns: Columns<AdminUserDetails['logins'][number]> = {
  ID: ({ id }) => id,
  METHOD: ({ method }) => method,
  CREATED: ({ created_at }) => created_at,
  'LAST USED': ({ last_used_at }) => last_used_at,
  EXPIRES: ({ expires_at }) => expires_at,
  ADDRESS: ({ address }) => address,
  BROWSER: ({ user_agent }) => user_agent,
}

export const userSessions = userCommand({}, async (call, user, operations) => {
  const logins = await operations.services.devices.listOf(user)
  call.say(listing(columns, logins, `${nameOf(user)} is not logged in anywhere.`), logins)
})

export const userEndSession = endById({
  operation: 'users.endLogins',
  what: 'login',
  list: 'user sessions',
  verbs: ['has ended', 'have ended'],
  done: 'ended',
})

const options = {
  all: { type: 'flag', doc: 'All users, in place of <user>' },
  yes: { type: 'flag', doc: 'With --all: do not ask' },
  ...reasonOption,
  ...userOptions,
} as const

export const userRevoke = command({
  argument: { ...USER, orOptions: [...(USER.orOptions ?? []), 'all'] },
  options,
  run: (call) => (call.values.all ? revokeAll(call) : revokeOne(call)),
})

const revokeOne = (call: CommandCall<typeof options>): Promise<void> =>
  withUser(call, async (user, operations) => {
    await operations.run('users.endLogins', user)
    call.say(`${nameOf(user)} is logged out everywhere.`, await operations.shown(user))
  })

const revokeAll = (call: CommandCall<typeof options>): Promise<void> =>
  withOperations(call, async (operations) => {
    const total = await operations.services.users.count()
    const question = `Log all users out everywhere (${counted(total, 'user')})? [y/N] `
    const isSure =
      call.values.yes || (await asks(question, 'Use --yes to log out without asking.', call.io))
    if (!isSure) throw refusal('Nobody was logged out.')
    const progress = progressOf('Logged out', total, call.io)
    const revoked = await operations.revokeAll(progress.at)
    progress.end()
    call.say(`${counted(revoked, 'user is', 'users are')} logged out everywhere.`, {
      revoked,
    })
  })
