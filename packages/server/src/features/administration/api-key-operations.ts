import { text } from '../../http/fields.ts'
import { readId } from '../../kernel/ids.ts'
import type { UpToAccount } from '../account/feature.ts'
import { ApiKeyShown, answerApiKey } from '../keys/api-keys-endpoints.ts'
import { changesBy } from './changes.ts'
import { pk } from './fields-of-operations.ts'
import { LOOK, type Target } from './find-operations.ts'
import { operation } from './operation.ts'
import { listOf } from './pages-of-operations.ts'
import { OWN_CHANGE } from './permits.ts'

/** The keys that users made for programs. Operators see and revoke them, and make none. */
export const apiKeyOperations = (house: UpToAccount & { target: Target }) => ({
  'users.apiKeys': operation({
    ...LOOK,
    method: 'GET',
    path: 'users/:pk/tokens/',
    summary: 'The keys that a user made for programs, without their secrets',
    actsOn: 'user',
    input: { pk: pk() },
    output: listOf(ApiKeyShown),
    async run(_, input) {
      const keys = await house.apiKeys.listOf(await house.target(input.pk))
      return { results: keys.map(answerApiKey), next: null }
    },
  }),

  'users.revokeApiKey': operation({
    ...OWN_CHANGE,
    method: 'DELETE',
    path: 'users/:pk/tokens/:id/',
    summary: 'Revoke a key that a user made for a program',
    actsOn: 'user',
    input: { pk: pk(), id: text({ max: 20 }) },
    output: null,
    async run(actor, input) {
      const user = await house.target(input.pk)
      await changesBy(actor, house).revokeApiKey(user, readId(input.id))
    },
  }),
})
