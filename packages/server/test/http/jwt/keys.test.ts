import { createHmac, createPrivateKey } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calculateJwkThumbprint, createLocalJWKSet, type JWK, jwtVerify } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { badBearer, decode, pems, segment, startJwt } from '../../support/jwt.ts'

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const
const SHARED = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const
const LONG_KEY = 'shared '.repeat(12)
const JWKS = '.well-known/jwks.json'

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-keys-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test.each(ALGORITHMS)('with %s others check tokens by the published keys', async (ALGORITHM) => {
  const { privatePem: SIGNING_KEY } = pems[ALGORITHM]()
  const { logIn, getUser, request, clock } = await startJwt({
    SIMPLE_JWT: { ALGORITHM, SIGNING_KEY },
  })
  const { access } = await logIn()
  expect((await getUser(access)).status).toBe(200)

  const reply = await request.get(JWKS)
  const { keys } = reply.body as { keys: JWK[] }
  const [key = {} as JWK] = keys
  expect(key).toMatchObject({ kid: await calculateJwkThumbprint(key), use: 'sig', alg: ALGORITHM })
  expect(JSON.stringify(keys)).not.toMatch(/"(d|p|q|k)":/)
  expect(decode(access).header).toEqual({ alg: ALGORITHM, typ: 'JWT', kid: key.kid })
  const checked = await jwtVerify(access, createLocalJWKSet({ keys }), {
    currentDate: new Date(clock.now()),
  })
  expect(checked.payload).toMatchObject({ token_type: 'access' })
})

test('a key of Django is good for HS512, and the start tells that it should be longer', async () => {
  const lines: string[] = []
  const SECRET_KEY = 'django-insecure-k@9v3w!q8z#r5t^y7u*i0o(p)a=s+d-f1g2h3'
  const { logIn, getUser } = await startJwt(
    { SECRET_KEY, SIMPLE_JWT: { ALGORITHM: 'HS512' } },
    { onLogLine: (line) => lines.push(line) },
  )
  const { access } = await logIn()
  expect(decode(access).header.alg).toBe('HS512')
  expect((await getUser(access)).status).toBe(200)
  const warnings = lines.filter((line) => line.includes('SIMPLE_JWT.SIGNING_KEY is shorter'))
  expect(warnings).toHaveLength(1)
})

const shared = Object.keys(SHARED) as (keyof typeof SHARED)[]

test.each(shared)('with %s others check tokens by the shared secret', async (ALGORITHM) => {
  const { logIn, clock } = await startJwt({ SIMPLE_JWT: { ALGORITHM, SIGNING_KEY: LONG_KEY } })
  const { access } = await logIn()
  expect(decode(access).header).toEqual({ alg: ALGORITHM, typ: 'JWT' })
  const checked = await jwtVerify(access, new TextEncoder().encode(LONG_KEY), {
    currentDate: new Date(clock.now()),
  })
  expect(checked.payload).toMatchObject({ token_type: 'access' })
})

test.each(shared)('with %s no other hash is taken, though the secret is right', async (name) => {
  const { logIn, getUser } = await startJwt({
    SIMPLE_JWT: { ALGORITHM: name, SIGNING_KEY: LONG_KEY },
  })
  const { access } = await logIn()
  const [header = '', payload = ''] = access.split('.')
  for (const other of shared.filter((one) => one !== name)) {
    for (const head of [segment({ alg: other, typ: 'JWT' }), header]) {
      const data = `${head}.${payload}`
      const signature = createHmac(SHARED[other], LONG_KEY).update(data).digest('base64url')
      expect(await getUser(`${data}.${signature}`)).toMatchReply(...badBearer('Token is invalid'))
    }
  }
  expect((await getUser(access)).status).toBe(200)
})

test.each(shared)('the shared secret of %s is not published', async (ALGORITHM) => {
  const { request } = await startJwt({ SIMPLE_JWT: { ALGORITHM, SIGNING_KEY: LONG_KEY } })
  for (const path of [JWKS, `${JWKS}/`]) {
    expect(await request.get(path)).toMatchReply(200, { keys: [] })
  }
})

test.each(ALGORITHMS)('the public key of %s is no shared secret', async (ALGORITHM) => {
  const { privatePem: SIGNING_KEY, publicPem } = pems[ALGORITHM]()
  const { logIn, getUser } = await startJwt({ SIMPLE_JWT: { ALGORITHM, SIGNING_KEY } })
  const [header = '', payload = ''] = (await logIn()).access.split('.')
  for (const head of [segment({ alg: 'HS256', typ: 'JWT' }), header]) {
    for (const secret of [publicPem, publicPem.trim()]) {
      const data = `${head}.${payload}`
      const token = `${data}.${createHmac('sha256', secret).update(data).digest('base64url')}`
      expect(await getUser(token)).toMatchReply(...badBearer('Token is invalid'))
    }
  }
})

test('a former key checks tokens until it is removed', async () => {
  const [old, young] = [pems.ES256(), pems.ES256()]
  const folder = await newFolder()
  const file = join(folder, 'signing.pem')
  await writeFile(file, old.privatePem)
  const first = await startJwt(
    { SIMPLE_JWT: { ALGORITHM: 'ES256', SIGNING_KEY: file } },
    { shared: true },
  )
  const { access } = await first.logIn()

  const former = join(folder, 'former')
  await mkdir(former)
  await writeFile(join(former, 'old.pem'), old.publicPem)
  const rotated = { ALGORITHM: 'ES256', SIGNING_KEY: young.privatePem }
  const second = await startJwt(
    { SIMPLE_JWT: { ...rotated, VERIFYING_KEY: former } },
    { shared: true, beside: first },
  )
  expect((await second.getUser(access)).status).toBe(200)
  const { body } = await second.request.get(JWKS)
  expect((body as { keys: JWK[] }).keys).toHaveLength(2)

  const third = await startJwt({ SIMPLE_JWT: rotated }, { shared: true, beside: first })
  expect(await third.getUser(access)).toMatchReply(...badBearer('Token is invalid'))
})

test('a key that nobody can read beside the one that signs is no obstacle', async () => {
  const { privatePem } = pems.ES256()
  const encrypted = createPrivateKey(pems.ES256().privatePem).export({
    ...{ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'forgotten' },
  })
  const file = join(await newFolder(), 'signing.pem')
  await writeFile(file, `${privatePem}\n${encrypted}`)
  const { logIn, getUser } = await startJwt({
    SIMPLE_JWT: { ALGORITHM: 'ES256', SIGNING_KEY: file },
  })
  expect((await getUser((await logIn()).access)).status).toBe(200)
})

test.each([
  ['no key at all', 'not a key', /SIGNING_KEY is neither PEM text nor a path/],
  ['a public key', pems.ES256().publicPem, /SIGNING_KEY is not a key in PEM/],
  ['a key of another kind', pems.EdDSA().privatePem, /SIGNING_KEY is not an elliptic key/],
  [
    'a key on another curve',
    pems.ES512().privatePem,
    /SIGNING_KEY is not an elliptic key on P-256/,
  ],
])('%s stops the start', async (_, SIGNING_KEY, reason) => {
  await expect(startJwt({ SIMPLE_JWT: { ALGORITHM: 'ES256', SIGNING_KEY } })).rejects.toThrow(
    reason,
  )
})
