import { expect, onTestFinished, test } from 'vitest'
import { signup } from '../../support/accounts.ts'
import { UP } from '../../support/authenticator.ts'
import type { Client, Reply } from '../../support/client.ts'
import { currentLogin, loginsOf } from '../../support/devices.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { forge, ROTATING, startJwt } from '../../support/jwt.ts'
import { activate, codeOf, MFA_REQUIRED } from '../../support/mfa.ts'
import { callerOf } from '../../support/modes.ts'
import { beginLogin, registered } from '../../support/passkeys.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const byPassword = (browser: Client) =>
  browser.post('login/', { username: 'ada', password: PASSWORD })

const methodOf = async (browser: Client) => (await currentLogin(browser)).method

test('a registration', async () => {
  const { newBrowser } = await startAuth()
  const browser = newBrowser()
  expect((await browser.post('registration/', signup('ada'))).status).toBe(201)
  expect(await methodOf(browser)).toBe('registration')
})

test('a password, a passkey and a social account', async () => {
  const idp = await startHostileProvider(onTestFinished)
  const auth = await startAuth(idp.settings())
  const authenticator = await registered(auth.request, await auth.createUserWithToken('ada'))

  const browser = auth.newBrowser()
  await byPassword(browser)
  expect(await methodOf(browser)).toBe('password')

  const options = await beginLogin(browser)
  const { session_id } = options
  await browser.post('passkeys/login/complete/', {
    credential: authenticator.get(options),
    session_id,
  })
  expect(await methodOf(browser)).toBe('passkey')

  const elsewhere = auth.newBrowser()
  await elsewhere.post('idp/', { id_token: await idp.idToken(auth.clock) })
  expect(await methodOf(elsewhere)).toBe('social')
})

test('after a second factor it is still the first one', async () => {
  const auth = await startAuth()
  const token = await auth.createUserWithToken('ada')
  const authenticator = await registered(auth.request, token)
  const { secret } = await activate(auth, token)

  const browser = auth.newBrowser()
  const finish = async (half: Reply) => {
    expect(half).toMatchReply(200, MFA_REQUIRED)
    auth.clock.advance(60_000)
    const { ephemeral_token } = half.body as { ephemeral_token: string }
    return browser.post('mfa/verify/', { ephemeral_token, code: codeOf(auth, secret) })
  }
  expect((await finish(await byPassword(browser))).status).toBe(200)
  expect(await methodOf(browser)).toBe('password')

  const options = await beginLogin(browser)
  const credential = authenticator.get(options, { flags: UP })
  const { session_id } = options
  const half = await browser.post('passkeys/login/complete/', { credential, session_id })
  expect((await finish(half)).status).toBe(200)
  expect(await methodOf(browser)).toBe('passkey')
})

test('nobody knows how a login of another service began, and nobody says so', async () => {
  const auth = await startJwt({ SIMPLE_JWT: ROTATING })
  const now = Math.floor(auth.clock.now() / 1000)
  const times = { iat: now, exp: now + 3600 }
  const foreign = forge({ token_type: 'refresh', ...times, jti: 'f'.repeat(32), user_id: '1' })
  const reply = await auth.refresh(foreign)
  expect(reply.status).toBe(200)
  expect(await loginsOf(callerOf(auth.newBrowser(), reply))).toMatchObject([
    { method: null, address: null, user_agent: null, current: true },
  ])
})
