import { listing } from '../output.ts'
import { endById } from './end-by-id.ts'
import { nameOf } from './user-json.ts'
import { userCommand } from './with-user.ts'

const HEADER = ['ID', 'NAME', 'SCOPES', 'CREATED', 'LAST USED', 'EXPIRES']

/** The keys that the user made for programs. */
export const userTokens = userCommand({}, async (call, user, operations) => {
  const { results } = await operations.run('users.apiKeys', user)
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

export const userRevokeToken = endById({
  operation: 'users.revokeApiKey',
  what: 'key',
  list: 'user tokens',
  verbs: ['is revoked', 'are revoked'],
  done: 'revoked',
})
