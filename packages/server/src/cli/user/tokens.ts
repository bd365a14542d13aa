import { command } from '../command.ts'
import { listing } from '../output.ts'
import { refusal } from '../refusal.ts'
import { nameOf, userJson } from './user-json.ts'
import { isProblem, USER, userCommand, userOptions, withUser } from './with-user.ts'

const HEADER = ['ID', 'NAME', 'SCOPES', 'CREATED', 'LAST USED', 'EXPIRES']

/** The keys that the user made for programs. */
export const userTokens = userCommand(async (call, user, accounts) => {
  const { results } = await accounts.run('users.apiKeys', user)
  const rows = results.map((key) => [
    String(key.id),
    key.name,
    key.scopes.join(' ') || '-',
    key.created_at,
    key.last_used_at ?? 'never',
    key.expires_at ?? 'never',
  ])
  call.say(listing(HEADER, rows, `${nameOf(user)} has no keys.`), results)
})

export const userRevokeToken = command({
  argument: {
    ...USER,
    followedBy: { placeholder: '<id>', doc: 'a key, as "latchkey user tokens" lists it' },
  },
  options: userOptions,
  run: (call) =>
    withUser(call, async (user, accounts) => {
      for (const id of call.rest) {
        await accounts.run('users.revokeApiKey', user, { id }).catch((error: unknown) => {
          if (!isProblem(error, 'not_found')) throw error
          throw refusal(`${nameOf(user)} has no key ${id}.`)
        })
      }
      const words = call.rest.length === 1 ? 'The key' : 'The keys'
      const are = call.rest.length === 1 ? 'is' : 'are'
      call.say(`${words} ${call.rest.join(', ')} of ${nameOf(user)} ${are} revoked.`, {
        ...userJson(user),
        revoked: call.rest,
      })
    }),
})
