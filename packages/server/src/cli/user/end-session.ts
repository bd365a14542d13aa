import { command } from '../command.ts'
import { refusal } from '../refusal.ts'
import { USER, userOptions } from './user-argument.ts'
import { nameOf, userJson } from './user-json.ts'
import { withUser } from './with-accounts.ts'

export const userEndSession = command({
  argument: {
    ...USER,
    followedBy: { placeholder: '<id>', doc: 'a login, as "latchkey user sessions" lists it' },
  },
  options: userOptions,
  run: (call) =>
    withUser(call, async (user, accounts) => {
      const unknown: string[] = []
      for (const id of call.rest) if (!(await accounts.endLogin(user, id))) unknown.push(id)
      const ended = call.rest.filter((id) => !unknown.includes(id))
      if (unknown.length > 0) {
        const others = ended.length > 0 ? ` Ended: ${ended.join(', ')}.` : ''
        throw refusal(`${nameOf(user)} has no login ${unknown.join(', ')}.${others}`)
      }
      const words = ended.length === 1 ? 'The login' : 'The logins'
      const have = ended.length === 1 ? 'has' : 'have'
      call.say(`${words} ${ended.join(', ')} of ${nameOf(user)} ${have} ended.`, {
        ...userJson(user),
        ended,
      })
    }),
})
