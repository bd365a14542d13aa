import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { createVerifier } from '../../src/verify.ts'
import { segment } from '../support/jwt.ts'
import { codeOf, NOW, newSigner, newVerifier, SECRET } from './support.ts'

const SECONDS = NOW / 1000
const HS = { alg: 'HS256', typ: 'JWT' }
const GOOD = { token_type: 'access', exp: SECONDS + 300, iat: SECONDS, jti: 'x', user_id: '1' }

function forge(claims: unknown, header: unknown = HS, key = SECRET, digest = 'sha256'): string {
  const data = `${segment(header)}.${segment(claims)}`
  return `${data}.${createHmac(digest, key).update(data).digest('base64url')}`
}

const verify = newVerifier({ key: SECRET })
const good = forge(GOOD)
const [head = '', body = '', signature = ''] = good.split('.')

test.each<[string, unknown, string]>([
  ['alg none', `${segment({ alg: 'none' })}.${body}.`, 'malformed'],
  ['alg none, with a signature', forge(GOOD, { ...HS, alg: 'none' }), 'unknown_key'],
  ['alg nOnE', forge(GOOD, { ...HS, alg: 'nOnE' }), 'unknown_key'],
  [
    'a longer hash with the same secret',
    forge(GOOD, { ...HS, alg: 'HS512' }, SECRET, 'sha512'),
    'unknown_key',
  ],
  ['another secret', forge(GOOD, HS, `${SECRET}!`), 'bad_signature'],
  ['crit', forge(GOOD, { ...HS, crit: ['exp'] }), 'malformed'],
  ['another typ', forge(GOOD, { ...HS, typ: 'at+jwt' }), 'malformed'],
  ['kid as a list', forge(GOOD, { ...HS, kid: ['1'] }), 'malformed'],
  [
    'another payload',
    `${head}.${segment({ ...GOOD, user_id: '2' })}.${signature}`,
    'bad_signature',
  ],
  ['a signature that is cut off', good.slice(0, -4), 'bad_signature'],
  ['four segments', `${good}.`, 'malformed'],
  ['five segments', `${good}.AA.AA`, 'malformed'],
  ['padding', `${good}=`, 'bad_signature'],
  ['space around it', ` ${good}`, 'malformed'],
  ['the word of the header', `Bearer ${good}`, 'malformed'],
  [
    'JSON serialisation',
    JSON.stringify({ protected: head, payload: body, signature }),
    'malformed',
  ],
  ['nested', forge(good), 'bad_claims'],
  ['more than 8 KB', forge({ ...GOOD, x: 'x'.repeat(8192) }), 'malformed'],
  ['ten megabytes', 'x'.repeat(10_000_000), 'malformed'],
  ['nothing', '', 'malformed'],
  ['undefined', undefined, 'malformed'],
  ['an object', { toString: () => good }, 'malformed'],
  ['a list', [good], 'malformed'],
  ['a refresh token', forge({ ...GOOD, token_type: 'refresh' }), 'wrong_type'],
  ['a sliding token', forge({ ...GOOD, token_type: 'sliding' }), 'wrong_type'],
  ['a list of types', forge({ ...GOOD, token_type: ['access'] }), 'bad_claims'],
  ['no type', forge({ ...GOOD, token_type: undefined }), 'bad_claims'],
  ['no expiry', forge({ ...GOOD, exp: undefined }), 'bad_claims'],
  ['an expiry that is text', forge({ ...GOOD, exp: String(GOOD.exp) }), 'bad_claims'],
  [
    'an infinite expiry',
    forge(JSON.stringify(GOOD).replace(/"exp":\d+/, '"exp":1e400')),
    'bad_claims',
  ],
  ['a negative expiry', forge({ ...GOOD, exp: -1 }), 'bad_claims'],
  ['expired this second', forge({ ...GOOD, exp: SECONDS }), 'expired'],
  ['from the future', forge({ ...GOOD, iat: SECONDS + 60 }), 'not_yet_valid'],
  ['not before', forge({ ...GOOD, nbf: SECONDS + 60 }), 'not_yet_valid'],
  ['a claim twice', forge(JSON.stringify(GOOD).replace('{', '{"exp":1,')), 'bad_claims'],
  ['no user', forge({ ...GOOD, user_id: undefined }), 'bad_claims'],
  ['SQL as a user', forge({ ...GOOD, user_id: '1 OR 1=1' }), 'bad_claims'],
  ['an operator as a user', forge({ ...GOOD, user_id: { $gt: 0 } }), 'bad_claims'],
  ['a login that is a number', forge({ ...GOOD, sid: 7 }), 'bad_claims'],
  ['a list', forge([GOOD]), 'bad_claims'],
  ['no JSON', forge('x'), 'bad_claims'],
])('%s is refused', async (_, token, code) => {
  const refusal = verify(token as string)
  expect(await codeOf(refusal)).toBe(code)
  const error = await refusal.catch((error) => error)
  expect(error).toMatchObject({ status: 401 })
  expect(`${error.stack}`).not.toContain(body)
  // What was refused once is not remembered as good, nor does it harm others.
  expect(await codeOf(verify(token as string))).toBe(code)
  expect(await verify(good)).toEqual(GOOD)
})

test.each(['RS256', 'ES256', 'EdDSA'] as const)(
  'a public key of %s is no secret, and a key in the header is not used',
  async (name) => {
    const { key, access, jwks } = newSigner(name)
    const stranger = newSigner(name)
    const byPublicKey = newVerifier({ key: [key, SECRET] })
    for (const secret of [key, key.trim(), JSON.stringify(jwks.keys[0])]) {
      expect(await codeOf(byPublicKey(forge(GOOD, HS, secret)))).toBe('bad_signature')
      expect(await codeOf(newVerifier({ key })(forge(GOOD, HS, secret)))).toBe('unknown_key')
    }
    const [jwk] = stranger.jwks.keys
    const [, payload] = stranger.access().split('.')
    for (const more of [{ jwk }, { jku: 'http://127.0.0.1:1/' }, { x5u: 'http://127.0.0.1:1/' }]) {
      const token = `${segment({ alg: name, typ: 'JWT', ...more })}.${payload}.${signature}`
      expect(await codeOf(byPublicKey(token))).toBe('bad_signature')
    }
    for (const kid of ['../../dev/null', "' OR 1=1 --", '', 'x'.repeat(5000)]) {
      const token = `${segment({ alg: name, typ: 'JWT', kid })}.${payload}.${signature}`
      expect(await codeOf(byPublicKey(token))).toBe('unknown_key')
    }
    expect(await byPublicKey(access())).toMatchObject({ user_id: '1' })
  },
)

test('issuer and audience count where they are given', async () => {
  const strict = newVerifier(
    { key: SECRET },
    { issuer: 'https://auth.example.com', audience: 'shop' },
  )
  const right = { ...GOOD, iss: 'https://auth.example.com', aud: ['shop', 'wiki'] }
  expect(await strict(forge(right))).toEqual(right)
  expect(await strict(forge({ ...right, aud: 'shop' }))).toMatchObject({ aud: 'shop' })
  expect(await codeOf(strict(forge({ ...right, iss: 'https://evil.example' })))).toBe(
    'wrong_issuer',
  )
  expect(await codeOf(strict(forge({ ...right, iss: ['https://auth.example.com'] })))).toBe(
    'wrong_issuer',
  )
  expect(await codeOf(strict(forge({ ...right, aud: 'wiki' })))).toBe('wrong_audience')
  expect(await codeOf(strict(forge({ ...right, aud: undefined })))).toBe('wrong_audience')
  expect(await codeOf(strict(forge({ ...GOOD, iss: 'https://auth.example.com' })))).toBe(
    'wrong_audience',
  )
})

test('clocks may differ by the leeway, to the second', async () => {
  const lenient = newVerifier({ key: SECRET }, { leeway: 30 })
  expect(await lenient(forge({ ...GOOD, exp: SECONDS - 29 }))).toMatchObject({ user_id: '1' })
  expect(await codeOf(lenient(forge({ ...GOOD, exp: SECONDS - 30 })))).toBe('expired')
  expect(await lenient(forge({ ...GOOD, nbf: SECONDS + 30 }))).toMatchObject({ user_id: '1' })
  expect(await codeOf(lenient(forge({ ...GOOD, nbf: SECONDS + 31 })))).toBe('not_yet_valid')
})

test('a remembered token expires, and its claims belong to the caller', async () => {
  let now = NOW
  const verify = newVerifier({ key: SECRET }, {}, { clock: { now: () => now } })
  const token = forge({ ...GOOD, groups: ['a'] })
  const first = await verify(token)
  Object.assign(first, { user_id: '2' })
  ;(first.groups as string[]).push('admin')
  expect(await verify(token)).toEqual({ ...GOOD, groups: ['a'] })
  now += 300_000
  expect(await codeOf(verify(token))).toBe('expired')
})

test('the claim of the user may have another name', async () => {
  const verify = newVerifier({ key: SECRET }, { userIdClaim: 'sub' })
  const { user_id, ...rest } = GOOD
  expect(await verify(forge({ ...rest, sub: 12 }))).toMatchObject({ sub: '12' })
  expect(await codeOf(verify(forge({ ...rest, user_id })))).toBe('bad_claims')
})

test('the real clock counts', async () => {
  const verify = createVerifier({ key: SECRET })
  expect(await codeOf(verify(forge({ ...GOOD, iat: 0, exp: 1 })))).toBe('expired')
  expect(await verify(forge({ ...GOOD, iat: 0, exp: 8e12 }))).toMatchObject({ user_id: '1' })
})

test('a token of an operator in the account of a user is refused, unless it is asked for', async () => {
  const token = newSigner('HS256').access({ act: { sub: '7' } })
  expect(await codeOf(verify(token))).toBe('impersonated')
  const open = newVerifier({ key: SECRET }, { acceptImpersonation: true })
  expect((await open(token)).act).toEqual({ sub: '7' })
  expect((await open(good)).act).toBeUndefined()
})
