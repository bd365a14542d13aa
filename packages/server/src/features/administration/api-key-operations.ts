import type { UpToAccount } from '../account/feature.ts'
import { ApiKeyShown, answerApiKey } from '../keys/api-keys-endpoints.ts'
import { changesBy } from './changes.ts'
import { id, pk } from './fields-of-operations.ts'
import type { FindTarget } from './find-operations.ts'
import { operation } from './operation.ts'
import { listOf } from './pages-of-operations.ts'
import { LOOK, OWN_CHANGE } from './permits.ts'

/** The keys that users made for programs. Operators see and revoke them, and make none. */
export const apiKeyOperations = (house: UpToAccount & { findTarget: FindTarget }) => ({
  'users.apiKeys': operation({
    ...LOOK,
    method: 'GET',
    path: 'users/:pk/tokens/',
    summary: 'The keys that a user made for programs, without their secrets',
    actsOn: 'user',
    input: { pk: pk() },
    output: listOf(ApiKeyShown),
    async run(_, input) {
      const keys = await house.apiKeys.listOf(await house.findTarget(input.pk))
      return { results: keys.map(answerApiKey), next: null }
    },
  }),

  'users.revokeApiKey': operation({
    ...OWN_CHANGE,
    method: 'DELETE',
    path: 'users/:pk/tokens/:id/',
    summary: 'Revoke a key that a user made for a program',
    actsOn: 'user',
    input: { pk: pk(), id: id() },
    output: null,
    async run(actor, input) {
      const user = await house.findTarget(input.pk)
      await changesBy(actor, house).revokeApiKey(user, input.id)
    },
  }),
})
