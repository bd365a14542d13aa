import { expect, test } from 'vitest'
import {
  type AccessClaims,
  createVerifier,
  type RefusalCode,
  TokenRefused,
  type Verify,
} from '../../src/verify.ts'

// Code that must not compile is marked, and `npm run check` fails if it compiles. The functions are never
// called: that the compiler reads them is the test.

test('a verifier has either a key or an address, and says what it finds', () => {
  const right = () => [
    createVerifier({ key: 'secret' }),
    createVerifier({ key: ['present', 'former'], algorithm: 'HS512' }, { leeway: 30 }),
    createVerifier({ key: { kty: 'EC' } }, { issuer: 'me', audience: 'you' }),
    createVerifier({ jwksUrl: new URL('https://auth.example.com/') }, {}),
  ]
  const wrong = () => [
    // @ts-expect-error: which key?
    createVerifier({}),
    // @ts-expect-error: one of the two
    createVerifier({ key: 'secret', jwksUrl: 'https://auth.example.com/' }),
    // @ts-expect-error: no such algorithm
    createVerifier({ key: 'secret', algorithm: 'none' }),
    // @ts-expect-error: published keys say their algorithm
    createVerifier({ jwksUrl: 'https://auth.example.com/', algorithm: 'RS256' }),
    // @ts-expect-error: no such option
    createVerifier({ key: 'secret' }, { isuer: 'me' }),
    // @ts-expect-error: seconds, as a number
    createVerifier({ key: 'secret' }, { leeway: '30s' }),
  ]
  const use = async (verify: Verify) => {
    const { user_id, sid, exp, role }: AccessClaims = await verify('token')
    const texts: [string, string | undefined] = [user_id, sid]
    // @ts-expect-error: nobody knows what a claim of one's own is
    const own: string = role
    return [texts, exp * 1000, own]
  }
  const statusOf = (error: unknown): [RefusalCode, 401 | 503] | null => {
    if (!(error instanceof TokenRefused)) return null
    // @ts-expect-error: no such code
    if (error.code === 'stale') return null
    return [error.code, error.status]
  }
  expect([right, wrong, use]).toHaveLength(3)
  expect(statusOf(new TokenRefused('expired'))).toEqual(['expired', 401])
})
