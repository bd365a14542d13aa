import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { json, optional, text } from '../../http/fields.ts'
import { idIn } from '../../http/request.ts'
import { answerPasskey, CreationOptions, PasskeyReply, PasskeysReply } from './answer-passkey.ts'
import { tooManyPasskeys } from './passkey-registration.ts'
import type { Passkeys } from './passkeys.ts'

const passkeyName = text({ max: 255 })

const common = { access: 'signed-in', freshness: 'not-needed', throttle: 'auth_service' } as const
const one = { ...common, path: 'passkeys/:id/' } as const

export const passkeysEndpoints = (passkeys: Passkeys): Endpoint[] => [
  endpoint({
    ...common,
    freshness: 'required',
    method: 'POST',
    path: 'passkeys/register/begin/',
    operationId: 'beginPasskeyRegistration',
    summary: 'Get the options for `navigator.credentials.create()`',
    body: { name: optional(passkeyName) },
    replies: { 200: CreationOptions },
    refusals: ['passkeys_not_configured', 'verify_email_first', tooManyPasskeys],
    handle: ({ identity }) => passkeys.beginRegistration(identity.user),
  }),
  endpoint({
    ...common,
    freshness: 'required',
    method: 'POST',
    path: 'passkeys/register/complete/',
    operationId: 'completePasskeyRegistration',
    summary: 'Add the passkey that the browser created to the account',
    body: { credential: json(), name: optional(passkeyName) },
    replies: { 201: PasskeyReply },
    refusals: [
      'passkeys_not_configured',
      'registration_challenge_expired',
      'registration_not_verified',
      'credential_registered',
      'verify_email_first',
    ],
    handle: async ({ identity, body }) =>
      answerPasskey(await passkeys.completeRegistration(identity.user, body.credential, body.name)),
  }),
  endpoint({
    ...common,
    method: 'GET',
    path: 'passkeys/',
    operationId: 'listPasskeys',
    summary: 'List the passkeys of the user, newest first',
    replies: { 200: PasskeysReply },
    handle: async ({ identity }) => (await passkeys.list(identity.user)).map(answerPasskey),
  }),
  endpoint({
    ...one,
    method: 'GET',
    operationId: 'getPasskey',
    summary: 'Get one passkey of the user',
    replies: { 200: PasskeyReply },
    handle: async ({ identity, params }) =>
      answerPasskey(await passkeys.get(identity.user, idIn(params))),
  }),
  endpoint({
    ...one,
    method: 'PUT',
    operationId: 'replacePasskey',
    summary: 'Rename a passkey',
    body: { name: passkeyName },
    replies: { 200: PasskeyReply },
    handle: async ({ identity, params, body }) =>
      answerPasskey(await passkeys.rename(identity.user, idIn(params), body.name)),
  }),
  endpoint({
    ...one,
    method: 'PATCH',
    operationId: 'updatePasskey',
    summary: 'Rename a passkey; without a name nothing changes',
    body: { name: optional(passkeyName) },
    replies: { 200: PasskeyReply },
    async handle({ identity, params, body: { name } }) {
      const { user } = identity
      const id = idIn(params)
      const isUnchanged = name === undefined
      return answerPasskey(
        await (isUnchanged ? passkeys.get(user, id) : passkeys.rename(user, id, name)),
      )
    },
  }),
  endpoint({
    ...one,
    freshness: 'required',
    method: 'DELETE',
    operationId: 'deletePasskey',
    summary: 'Delete a passkey, unless it is the last way to log in',
    replies: { 204: null },
    refusals: ['passkey_last_way_in'],
    async handle({ identity, params }) {
      await passkeys.remove(identity.user, idIn(params))
      return undefined
    },
  }),
]
