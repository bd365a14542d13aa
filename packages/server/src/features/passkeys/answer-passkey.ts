import { Type } from '@sinclair/typebox'
import type { DossierEntry } from '../../core/every-feature.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Passkey } from '../../storage/schema.ts'
import { transportsOf } from './descriptors.ts'
import type { Passkeys } from './passkeys.ts'

const shown = {
  id: Type.Integer(),
  name: Type.String(),
  credential_id: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  last_used_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  transports: Type.Array(Type.String()),
  discoverable: Type.Boolean(),
}

export const PasskeyReply = Type.Object(shown, { $id: 'Passkey' })
export const PasskeysReply = Type.Array(Type.Object(shown), { $id: 'Passkeys' })

export const passkeysEntry = ({ list }: Passkeys): DossierEntry => ({
  name: 'passkeys',
  schema: Type.Array(Type.Object(shown)),
  read: async (user) => (await list(user)).map(answerPasskey),
})

export const answerPasskey = (passkey: Passkey) => ({
  id: passkey.id,
  name: passkey.name,
  credential_id: passkey.credential_id,
  created_at: isoTime(passkey.created_at),
  last_used_at: passkey.last_used_at === null ? null : isoTime(passkey.last_used_at),
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

export const CreationOptions = Type.Object(
  {
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
  },
  { $id: 'PasskeyCreationOptions' },
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
