import { answerDevice } from '../../features/devices/answer-device.ts'
import { command } from '../command.ts'
import { table } from '../table.ts'
import { USER, userOptions } from './user-argument.ts'
import { nameOf } from './user-json.ts'
import { withUser } from './with-accounts.ts'

const HEADER = ['ID', 'METHOD', 'CREATED', 'LAST USED', 'EXPIRES', 'ADDRESS', 'BROWSER']

export const userSessions = command({
  argument: USER,
  options: userOptions,
  run: (call) =>
    withUser(call, async (user, accounts) => {
      const logins = (await accounts.loginsOf(user)).map(answerDevice)
      const rows = logins.map((login) => [
        login.id,
        login.method ?? '-',
        login.created_at,
        login.last_used_at,
        login.expires_at ?? '-',
        login.address ?? '-',
        login.user_agent || '-',
      ])
      const text =
        rows.length > 0
          ? table([HEADER, ...rows]).trimEnd()
          : `${nameOf(user)} is logged in nowhere.`
      call.say(text, logins)
    }),
})
