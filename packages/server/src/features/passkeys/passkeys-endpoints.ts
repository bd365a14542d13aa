import * as Type from '@sinclair/typebox'
import type { DossierEntry } from '../../core/every-feature.ts'
import { orNull, Time } from '../../core/schemas.ts'
import { type Endpoint, endpoint, forUsers } from '../../http/endpoint.ts'
import { json, optional, text } from '../../http/fields.ts'
import { idIn } from '../../http/request.ts'
import { ofType } from '../../http/user-field.ts'
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts'
import type { Passkey } from '../../storage/schema.ts'
import { transportsOf } from './descriptors.ts'
import { tooManyPasskeys } from './passkey-registration.ts'
import type { Passkeys } from './passkeys.ts'

export const passkeyName = text({ max: 255 })

/** The refusals of a passkey that the browser has made. */
export const newPasskeyRefusals = [
  'passkeys_not_configured',
  'registration_challenge_expired',
  'registration_not_verified',
  'credential_registered',
] as const

/** The refusals of a passkey that the browser has used. */
export const usedPasskeyRefusals = [
  'passkeys_not_configured',
  'authentication_challenge_expired',
  'invalid_credential_format',
  'authentication_not_verified',
] as const

const common = { ...forUsers, freshness: 'not-needed' } as const
const one = { ...common, path: 'passkeys/:id/' } as const

export const passkeysEndpoints = (passkeys: Passkeys): Endpoint[] => [
  endpoint({
    ...common,
    freshness: 'required',
    method: 'POST',
    path: 'passkeys/register/begin/',
    operationId: 'beginPasskeyRegistration',
    summary: 'Get the options for `navigator.credentials.create()`',
    body: { name: optional(passkeyName), conditional: optional(ofType<boolean>('boolean')) },
    replies: { 200: CreationOptions },
    refusals: [
      'passkeys_not_configured',
      'registration_not_verified',
      'verify_email_first',
      'passkey_required',
      tooManyPasskeys,
    ],
    handle: ({ identity, body }) => passkeys.beginRegistration(identity, body.conditional),
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
    refusals: [...newPasskeyRefusals, 'verify_email_first', 'passkey_required'],
    handle: async ({ identity, body }) =>
      answerPasskey(await passkeys.completeRegistration(identity, body.credential, body.name)),
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
    async handle({ identity: { user }, params, body: { name } }) {
      const id = idIn(params)
      const passkey = name === undefined ? passkeys.get(user, id) : passkeys.rename(user, id, name)
      return answerPasskey(await passkey)
    },
  }),
  endpoint({
    ...one,
    freshness: 'required',
    method: 'DELETE',
    operationId: 'deletePasskey',
    summary: 'Delete a passkey, unless it is the last way to log in',
    replies: { 204: null },
    refusals: ['passkey_last_way_in', 'passkey_required'],
    handle: async ({ identity, params }) => passkeys.remove(identity, idIn(params)),
  }),
]

const shown = {
  id: Type.Integer(),
  name: Type.String(),
  credential_id: Type.String(),
  created_at: Time,
  last_used_at: orNull(Time),
  transports: Type.Array(Type.String()),
  discoverable: Type.Boolean(),
}

const PasskeyReply = Type.Object(shown, { $id: 'Passkey' })
const PasskeysReply = Type.Array(Type.Object(shown), { $id: 'Passkeys' })

export const passkeysEntry = ({ list }: Passkeys): DossierEntry => ({
  name: 'passkeys',
  schema: Type.Array(Type.Object(shown)),
  read: async (user) => (await list(user)).map(answerPasskey),
})

const answerPasskey = (passkey: Passkey) => ({
  id: passkey.id,
  name: passkey.name,
  credential_id: passkey.credential_id,
  created_at: isoTime(passkey.created_at),
  last_used_at: isoTimeOrNull(passkey.last_used_at),
  transports: transportsOf(passkey),
  discoverable: passkey.discoverable === 1,
})

const PublicKey = Type.Literal('public-key')

const Descriptors = Type.Array(
  Type.Object({
    type: PublicKey,
    id: Type.String(),
    transports: Type.Optional(Type.Array(Type.String())),
  }),
)

const UserVerification = Type.Union([
  Type.Literal('required'),
  Type.Literal('preferred'),
  Type.Literal('discouraged'),
])

const creation = {
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  challenge: Type.String(),
  pubKeyCredParams: Type.Array(Type.Object({ type: PublicKey, alg: Type.Integer() })),
  timeout: Type.Integer(),
  excludeCredentials: Descriptors,
  authenticatorSelection: Type.Object({
    residentKey: Type.Literal('preferred'),
    requireResidentKey: Type.Boolean(),
    userVerification: UserVerification,
  }),
  attestation: Type.Literal('none'),
  extensions: Type.Object({ credProps: Type.Boolean() }),
}

export const CreationOptions = Type.Object(creation, { $id: 'PasskeyCreationOptions' })
/** For somebody without an account. */
export const SignupOptions = Type.Object(
  { ...creation, session_id: Type.String() },
  { $id: 'PasskeySignupOptions' },
)

export const RequestOptions = Type.Object(
  {
    challenge: Type.String(),
    timeout: Type.Integer(),
    rpId: Type.String(),
    allowCredentials: Descriptors,
    userVerification: UserVerification,
    session_id: Type.String(),
  },
  { $id: 'PasskeyRequestOptions' },
)
