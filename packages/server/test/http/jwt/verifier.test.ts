import { createPublicKey } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  buildVerifier,
  type KeySource,
  type VerifierOptions,
} from '../../../src/verify/build-verifier.ts'
import { pems, ROTATING, startJwt } from '../../support/jwt.ts'
import { sendJson, startLoopbackServer } from '../../support/loopback-server.ts'
import { SECRET_KEY, type StartedAuth } from '../../support/start-auth.ts'

const LONG_SECRET = `${SECRET_KEY}, also for a hash of 64 bytes`
const pairs = { RS256: pems.RS256(), ES256: pems.ES256(), EdDSA: pems.EdDSA() }
const claims = {
  token_type: 'access',
  user_id: expect.stringMatching(/^\d+$/),
  sid: expect.any(String),
}

/** Another service, with the same time. */
const verifierFor = (
  { clock }: Pick<StartedAuth, 'clock'>,
  source: KeySource,
  options: VerifierOptions = {},
) => buildVerifier(source, options, { clock, timeoutMs: 30_000 })

test.each(['HS256', 'HS384', 'HS512'] as const)(
  '%s: the shared secret checks tokens',
  async (ALGORITHM) => {
    const auth = await startJwt({ SIMPLE_JWT: { ALGORITHM, SIGNING_KEY: LONG_SECRET } })
    const verify = verifierFor(auth, { key: LONG_SECRET, algorithm: ALGORITHM })
    const { access, refresh } = await auth.logIn()
    expect(await verify(access)).toMatchObject({ ...claims, user_id: String(auth.ada.id) })
    await expect(verify(refresh)).rejects.toMatchObject({ code: 'wrong_type' })
    auth.clock.advance(auth.settings.SIMPLE_JWT.ACCESS_TOKEN_LIFETIME)
    await expect(verify(access)).rejects.toMatchObject({ code: 'expired' })
  },
)

test.each(Object.entries(pairs))(
  '%s: the public key checks tokens, and so do published keys',
  async (name, pair) => {
    const ALGORITHM = name as keyof typeof pairs
    const auth = await startJwt({
      SIMPLE_JWT: { ALGORITHM, SIGNING_KEY: pair.privatePem, ...ROTATING },
    })
    const { body: jwks } = await auth.request.get('.well-known/jwks.json')
    const published = await startLoopbackServer((_, response) => sendJson(response, jwks))

    const pair1 = await auth.logIn()
    const { body } = await auth.refresh(pair1.refresh)
    const { access } = body as { access: string }
    for (const source of [
      { key: pair.publicPem },
      { key: createPublicKey(pair.publicPem) },
      { jwksUrl: published.url },
    ]) {
      const verify = verifierFor(auth, source)
      expect(await verify(pair1.access)).toMatchObject(claims)
      expect(await verify(access)).toMatchObject(claims)
      await expect(verify(pair1.refresh)).rejects.toMatchObject({ code: 'wrong_type' })
    }
    expect(published.heard).toHaveLength(1)
  },
)

test('issuer, audience, claims and the name of the user are those of the settings', async () => {
  const auth = await startJwt({
    SIMPLE_JWT: { ISSUER: 'https://auth.example.com', AUDIENCE: 'shop', USER_ID_CLAIM: 'sub' },
  })
  const options = { issuer: 'https://auth.example.com', audience: 'shop', userIdClaim: 'sub' }
  const { access } = await auth.logIn()
  expect(await verifierFor(auth, { key: SECRET_KEY }, options)(access)).toMatchObject({
    sub: String(auth.ada.id),
    iss: 'https://auth.example.com',
    aud: 'shop',
  })
  const elsewhere = verifierFor(auth, { key: SECRET_KEY }, { ...options, audience: 'wiki' })
  await expect(elsewhere(access)).rejects.toMatchObject({ code: 'wrong_audience' })
})

test('a logout does not reach a service that only checks signatures', async () => {
  const auth = await startJwt()
  const verify = verifierFor(auth, { key: SECRET_KEY })
  const { access, refresh } = await auth.logIn()
  await auth.request.post('logout/', { refresh })
  expect((await auth.getUser(access)).status).toBe(401)
  expect(await verify(access)).toMatchObject(claims)
})
