import type { UserApiKey } from '../../kernel/admin-answers.ts'
import { type Columns, listing } from '../output.ts'
import { nameOf } from '../with-operations.ts'
import { endById } from './end-by-id.ts'
import { userCommand } from './with-user.ts'

const columns: Columns<UserApiKey> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  SCOPES: ({ scopes }) => scopes.join(' '),
  CREATED: ({ created_at }) => created_at,
  'LAST USED': ({ last_used_at }) => last_used_at ?? 'never',
  EXPIRES: ({ expires_at }) => expires_at ?? 'never',
}

/** The keys that the user made for programs. */
export const userTokens = userCommand({}, async (call, user, operations) => {
  const { results } = await operations.run('users.apiKeys', user)
  call.say(listing(columns, results, `${nameOf(user)} has no keys.`), results)
})

export const userRevokeToken = endById({
  operation: 'users.revokeApiKey',
  what: 'key',
  list: 'user tokens',
  verbs: ['is revoked', 'are revoked'],
  done: 'revoked',
})
