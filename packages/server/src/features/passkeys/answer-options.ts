import { Type } from '@sinclair/typebox'

/** The options of WebAuthn, in the JSON form that browsers parse. */
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
