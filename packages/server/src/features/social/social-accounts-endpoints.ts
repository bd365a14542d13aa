import { Type } from '@sinclair/typebox'
import { type Endpoint, endpoint, saying } from '../../http/endpoint.ts'
import { idIn } from '../../http/request.ts'
import { Account, shownAccount } from './answer-account.ts'
import type { Social } from './social.ts'

export function socialAccountsEndpoints(social: Social): Endpoint[] {
  const list = endpoint({
    method: 'GET',
    path: 'socialaccounts/',
    operationId: 'listSocialAccounts',
    summary: 'List the social accounts of the user',
    access: 'signed-in',
    freshness: 'not-needed',
    throttle: 'auth_service',
    replies: { 200: Type.Array(Account) },
    handle: async ({ identity }) => (await social.list(identity.user)).map(shownAccount),
  })

  const disconnect = endpoint({
    method: 'POST',
    path: 'socialaccounts/:id/disconnect/',
    operationId: 'disconnectSocialAccount',
    summary: 'Disconnect a social account, unless it is the last way to log in',
    access: 'signed-in',
    freshness: 'required',
    throttle: 'auth_service',
    replies: { 200: saying('Social account disconnected.') },
    refusals: ['social_last_way_in'],
    async handle({ identity, params }) {
      await social.disconnect(identity.user, idIn(params))
      return { detail: 'Social account disconnected.' }
    },
  })

  return [list, disconnect]
}
