import { pino } from 'pino'
import { expect, test } from 'vitest'
import { composeService } from '../../../src/compose-service.ts'
import { buildApp } from '../../../src/server/build-app.ts'
import { resolveSettings } from '../../../src/settings/resolve.ts'
import type { UncheckedSettings } from '../../../src/settings/settings.ts'
import { createAuthenticator } from '../../support/authenticator.ts'
import { logIn, register } from '../../support/passkeys.ts'
import { startAuth } from '../../support/start-auth.ts'

const NOT_CONFIGURED = {
  non_field_errors: [
    'Passkey RP settings (PASSKEY_RP_ID, PASSKEY_RP_NAME, PASSKEY_RP_ORIGINS) must be configured.',
  ],
}

async function warningsOf(input: UncheckedSettings): Promise<string[]> {
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => warnings.push(JSON.parse(line).msg) })
  const settings = resolveSettings({
    SECRET_KEY: 'a secret key for tests only, long enough',
    DATABASE_URL: 'sqlite::memory:',
    ...input,
  })
  const auth = composeService(settings, { log })
  await auth.migrate()
  const app = await buildApp(auth)
  await app.ready()
  await app.close()
  return warnings
}

test.each([
  ['an IP address', { PUBLIC_URL: 'https://192.0.2.1' }, /IP address/],
  ['an IPv6 address', { PUBLIC_URL: 'https://[2001:db8::1]' }, /IP address/],
  ['plain http', { PUBLIC_URL: 'http://auth.example.com' }, /plain http/],
  [
    'a domain of somebody else',
    { PUBLIC_URL: 'https://auth.example.com', REST_AUTH: { PASSKEY_RP_ID: 'example.org' } },
    /none of the origins/,
  ],
])('where there can be no relying party, it says so: %s', async (_, input, reason) => {
  const { request, createUserWithToken } = await startAuth(input)
  const token = await createUserWithToken('ada')
  const credential = {}
  const calls: [string, object][] = [
    ['passkeys/register/begin/', {}],
    ['passkeys/register/complete/', { credential }],
    ['passkeys/login/begin/', {}],
    ['passkeys/login/complete/', { credential, session_id: 'a'.repeat(32) }],
  ]
  for (const [path, body] of calls) {
    expect(await request.post(path, body, { token })).toMatchReply(400, NOT_CONFIGURED)
  }
  expect(await request.get('passkeys/', { token })).toMatchReply(200, [])
  expect(await warningsOf(input)).toEqual([expect.stringMatching(reason)])
  expect(await warningsOf({ ...input, MODULES: ['mfa'] })).toEqual([])
})

test('the address out of the box will do', async () => {
  expect(await warningsOf({})).toEqual([])
})

test('a page below the domain may use passkeys of the domain', async () => {
  const { request, createUserWithToken } = await startAuth({
    PUBLIC_URL: 'https://auth.example.com',
    REST_AUTH: {
      PASSKEY_RP_ID: 'example.com',
      PASSKEY_RP_NAME: 'Example',
      PASSKEY_RP_ORIGINS: ['https://app.example.com', 'android:apk-key-hash:abc'],
    },
  })
  const token = await createUserWithToken('ada')
  for (const origin of ['https://app.example.com', 'android:apk-key-hash:abc']) {
    const authenticator = createAuthenticator({ rpId: 'example.com', origin })
    expect((await register(request, token, authenticator)).status).toBe(201)
    expect((await logIn(request, authenticator)).status).toBe(200)
  }
  const origin = 'https://auth.example.com'
  const authenticator = createAuthenticator({ rpId: 'example.com', origin })
  expect((await register(request, token, authenticator)).status).toBe(400)
})

test('without the module there is nothing', async () => {
  const { request, createUserWithToken } = await startAuth({ MODULES: ['registration'] })
  const token = await createUserWithToken('ada')
  expect((await request.get('passkeys/', { token })).status).toBe(404)
  expect((await request.post('passkeys/login/begin/', {})).status).toBe(404)
})
