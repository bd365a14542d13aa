import { generateKeyPairSync } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { expect, test } from 'vitest'
import { KEY } from '../../support/answers.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { startAuth } from '../../support/start-auth.ts'

async function start() {
  const idp = await startHostileProvider()
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const certificate_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const apple = {
    APP: { client_id: 'app.bundle', secret: 'KEYID', key: 'TEAMID', settings: { certificate_key } },
    JWKS_URL: `${idp.url}/keys`,
    ACCESS_TOKEN_URL: `${idp.url}/token`,
  }
  const auth = await startAuth({ SOCIALACCOUNT: { PROVIDERS: { apple } } })
  const claims = { iss: 'https://appleid.apple.com', aud: 'app.bundle', sub: '001.ada' }
  const idToken = (more: object = {}) => idp.idToken(auth.clock, { ...claims, ...more })
  return { ...auth, idp, idToken }
}

test('ID tokens, and codes with a secret that is signed each time', async () => {
  const { idp, request, idToken } = await start()
  expect(await request.post('apple/', { id_token: await idToken() })).toMatchReply(200, KEY)

  idp.giveForCode({ access_token: 'unused', id_token: await idToken() })
  expect(await request.post('apple/', { code: 'c' })).toMatchReply(200, KEY)
  const form = new URLSearchParams(idp.heard.find(({ path }) => path === '/token')?.body)
  const secret = form.get('client_secret') ?? ''
  expect(decodeProtectedHeader(secret)).toEqual({ alg: 'ES256', kid: 'KEYID' })
  expect(decodeJwt(secret)).toMatchObject({ iss: 'TEAMID', sub: 'app.bundle' })
})

test.each([
  [true, 'ada@example.com'],
  ['true', 'ada@example.com'],
  [false, ''],
  ['false', ''],
  [1, ''],
  [undefined, ''],
])('an address of which it says %j is kept as "%s"', async (email_verified, kept) => {
  const { request, idToken } = await start()
  const id_token = await idToken({ email: 'ada@example.com', email_verified })
  const { body } = await request.post('apple/', { id_token })
  const { key: token } = body as { key: string }
  expect((await request.get('user/', { token })).body).toMatchObject({ email: kept })
})
