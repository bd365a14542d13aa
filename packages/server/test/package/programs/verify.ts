import { createVerifier, TokenRefused, type Verify } from 'latchkey/verify'

export const verify: Verify = createVerifier(
  { jwksUrl: 'https://auth.example.com/auth/.well-known/jwks.json' },
  { issuer: 'https://auth.example.com', leeway: 5 },
)
export const { user_id, exp } = await verify('token')
export const codeOf = (error: unknown) => (error instanceof TokenRefused ? error.code : null)

// @ts-expect-error: which key?
createVerifier({})
// @ts-expect-error: no such algorithm
createVerifier({ key: 'secret', algorithm: 'none' })
// @ts-expect-error: no such option
createVerifier({ key: 'secret' }, { isuer: 'me' })
