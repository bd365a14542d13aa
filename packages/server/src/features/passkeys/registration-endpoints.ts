import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { json, optional } from '../../http/fields.ts'
import { CreationOptions } from './answer-options.ts'
import { answerPasskey, PasskeyReply } from './answer-passkey.ts'
import { tooManyPasskeys } from './begin-registration.ts'
import { passkeyName } from './manage-endpoints.ts'
import type { Passkeys } from './passkeys.ts'

const common = {
  method: 'POST',
  access: 'signed-in',
  freshness: 'required',
  throttle: 'auth_service',
} as const

export const registrationEndpoints = (passkeys: Passkeys): Endpoint[] => [
  endpoint({
    ...common,
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
]
