import { createPublicKey, createSecretKey } from 'node:crypto'
import { calculateJwkThumbprint, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { algorithmNames, isShared } from '../../src/crypto/jwt/algorithms.ts'
import { createVerifier, type KeySource, TokenRefused } from '../../src/verify.ts'
import { brokenTokens } from '../support/broken-tokens.ts'
import { pems } from '../support/jwt.ts'
import { codeOf, NOW, newSigner, newVerifier, SECRET } from './support.ts'

/** They share their rules with the faster ones. */
const isSlow = (name: string) => /^[RE]S(384|512)$/.test(name)

test.each(algorithmNames)('%s: the claims of our own tokens, and of nothing else', async (name) => {
  const signer = newSigner(name)
  const verify = newVerifier({ key: signer.key, algorithm: name })
  const claims = await verify(signer.access({ role: 'editor' }))
  expect(claims).toEqual({
    token_type: 'access',
    user_id: '1',
    sid: '7',
    role: 'editor',
    jti: expect.stringMatching(/^[0-9a-f]{32}$/),
    iat: NOW / 1000,
    exp: NOW / 1000 + 300,
  })
  expect(await codeOf(verify(signer.refresh()))).toBe('wrong_type')

  // The verifier agrees with the service on every token, and so with jose, with which that agrees.
  for (const { token, how } of brokenTokens(signer.keys, NOW, isSlow(name) ? 20 : 120)) {
    const isGood = 'claims' in signer.check(token)
    const result = await verify(token).then(
      () => true,
      (error) => (error instanceof TokenRefused ? false : error),
    )
    expect(result, how).toBe(isGood)
  }
})

test.each(algorithmNames)('%s: tokens that jose has signed', async (name) => {
  const { key, keys } = newSigner(name)
  const kid = isShared(name)
    ? undefined
    : await calculateJwkThumbprint(createPublicKey(key).export({ format: 'jwk' }) as object)
  const token = await new SignJWT({ token_type: 'access', user_id: 1, jti: 'x' })
    .setProtectedHeader({ alg: name, typ: 'JWT', ...(kid && { kid }) })
    .setExpirationTime(NOW / 1000 + 1)
    .sign(keys.signing.key)
  const verify = newVerifier({ key, algorithm: name })
  // A number is what older versions of simplejwt write.
  expect(await verify(token)).toMatchObject({ user_id: '1' })
})

test.each(algorithmNames.filter((name) => !/384|512/.test(name) || name.startsWith('ES')))(
  '%s: the kind of the key says the algorithm',
  async (name) => {
    const signer = newSigner(name)
    const [jwk] = signer.jwks.keys
    const forms = isShared(name)
      ? [
          SECRET,
          createSecretKey(SECRET, 'utf8'),
          { kty: 'oct', k: Buffer.from(SECRET).toString('base64url') },
        ]
      : [signer.key, signer.key.replaceAll('\n', '\\n'), createPublicKey(signer.key), jwk ?? {}]
    for (const key of forms) {
      expect(await newVerifier({ key })(signer.access())).toMatchObject({ user_id: '1' })
    }
  },
)

test('a list holds the present key and former ones, also of another kind', async () => {
  const [present, former, older] = [newSigner('ES256'), newSigner('ES256'), newSigner('HS256')]
  const secrets = ['another secret that is long enough to be one', SECRET]
  const verify = newVerifier({ key: [present.key, former.key, ...secrets] })
  for (const signer of [present, former, older]) {
    expect(await verify(signer.access())).toMatchObject({ sid: '7' })
  }
  expect(await codeOf(verify(newSigner('ES256').access()))).toBe('unknown_key')
})

test.each([
  ['have the same name', 'a', 'a'],
  ['are named as the place of a nameless one', '1', undefined],
])('secrets that %s do not replace each other', async (_, first, second) => {
  const { access } = newSigner('HS256')
  const jwk = (secret: string, kid?: string) => ({
    kty: 'oct',
    k: Buffer.from(secret).toString('base64url'),
    ...(kid !== undefined && { kid }),
  })
  const other = 'another secret that is long enough to be one'
  for (const secrets of [
    [SECRET, other],
    [other, SECRET],
  ] as const) {
    const key = [jwk(secrets[0], first), jwk(secrets[1], second)]
    expect(await newVerifier({ key })(access())).toMatchObject({ sid: '7' })
  }
})

const SPKI = createPublicKey(pems.ES256().publicPem).export({ type: 'spki', format: 'der' })
const RSA = createPublicKey(pems.RS256().publicPem)

test.each<[string, unknown]>([
  ['nothing', {}],
  ['both', { key: SECRET, jwksUrl: 'https://auth.example.com/' }],
  ['a variable that is not set', { key: undefined }],
  ['null', { key: null }],
  ['an empty list', { key: [] }],
  ['a short secret', { key: 'x'.repeat(31) }],
  ['an empty secret', { key: '' }],
  ['a short secret as a JWK', { key: { kty: 'oct', k: 'AAAA' } }],
  ['a private key', { key: pems.ES256().privatePem }],
  ['a private JWK', { key: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', d: 'AA' } }],
  ['a public key for a shared algorithm', { key: pems.RS256().publicPem, algorithm: 'HS256' }],
  [
    'a public JWK for a shared algorithm',
    { key: { ...RSA.export({ format: 'jwk' }), alg: 'HS256' } },
  ],
  ['a public key without its PEM lines', { key: SPKI.toString('base64') }],
  [
    'an RSA key without its PEM lines',
    { key: RSA.export({ type: 'pkcs1', format: 'der' }).toString('base64') },
  ],
  ['a JWK as text', { key: JSON.stringify(RSA.export({ format: 'jwk' })) }],
  ['an address as a secret', { key: 'https://auth.example.com/auth/.well-known/jwks.json' }],
  ['a key of SSH', { key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHZpb2xldHMgYXJlIGJsdWU' }],
  ['PEM that is broken', { key: '-----BEGIN PUBLIC KEY-----\nAA\n-----END PUBLIC KEY-----' }],
  ['an algorithm of nobody', { key: SECRET, algorithm: 'none' }],
  ['a key of another curve', { key: pems.ES384().publicPem, algorithm: 'ES256' }],
  ['no address', { jwksUrl: 'auth.example.com' }],
  ['a file', { jwksUrl: 'file:///etc/passwd' }],
])('%s makes no verifier', (_, source) => {
  const words = () => createVerifier(source as KeySource)
  expect(words).toThrow(/^createVerifier: /)
  expect(words).not.toThrow(/AAAA|x{31}|BEGIN/)
})

test('a misspelt or wrong option makes no verifier', () => {
  for (const options of [
    { isuer: 'x' },
    { issuer: '' },
    { audience: ['x'] },
    { leeway: '30s' },
    { leeway: -1 },
    { acceptImpersonation: 'yes' },
    { leeway: Number.NaN },
  ]) {
    expect(() => createVerifier({ key: SECRET }, options as object)).toThrow(/^createVerifier: /)
  }
})
