import { expect, test } from 'vitest'
import {
  ADMIN_ORIGIN,
  passwordOf,
  type StartedAdmin,
  sent,
  setUpApp,
  startAdmin,
} from '../../support/admin.ts'
import {
  AT,
  type Authenticator,
  createAuthenticator,
  type Lies,
  UP,
} from '../../support/authenticator.ts'
import { register } from '../../support/passkeys.ts'

const FROM_ADMIN: Lies = { clientData: { origin: ADMIN_ORIGIN } }

async function logInWith({ newVisitor }: StartedAdmin, authenticator: Authenticator, lies: Lies) {
  const browser = newVisitor()
  const { body } = await browser.post('passkeys/login/begin/', {}, sent(browser))
  const options = body as { challenge: string; session_id: string; userVerification: string }
  expect(options.userVerification).toBe('required')
  const credential = authenticator.get(options, lies)
  const { session_id } = options
  const reply = await browser.post(
    'passkeys/login/complete/',
    { credential, session_id },
    sent(browser),
  )
  return { browser, reply }
}

test('a passkey opens the admin pages if it verifies an operator, for their origin alone', async () => {
  const started = await startAdmin()
  await started.createOperator('grace')
  const token = await started.createUserWithToken('ada')
  const { body } = await started.request.post('login/', passwordOf('grace'))
  const { key } = body as { key: string }
  const [ofGrace, ofAda] = [createAuthenticator(), createAuthenticator()]
  expect((await register(started.request, key, ofGrace)).status).toBe(201)
  expect((await register(started.request, token, ofAda)).status).toBe(201)

  const { browser, reply } = await logInWith(started, ofGrace, FROM_ADMIN)
  expect(reply.status).toBe(204)
  expect((await browser.get('users/')).status).toBe(200)

  const refused: [Authenticator, Lies][] = [
    [ofGrace, { ...FROM_ADMIN, flags: UP }],
    [ofGrace, {}],
    [ofGrace, { ...FROM_ADMIN, rpId: 'evil.example' }],
    [ofAda, FROM_ADMIN],
  ]
  for (const [index, [authenticator, lies]] of refused.entries()) {
    const { browser, reply } = await logInWith(started, authenticator, lies)
    expect([index, reply.status]).toEqual([index, 400])
    expect(browser.cookie('latchkey_admin')).toBe('')
    expect((await browser.get('users/')).status).toBe(401)
  }
  // Who has a passkey that verifies them needs it: a password alone sets up no other factor.
  const visitor = started.newVisitor()
  const password = await visitor.post('login/', passwordOf('grace'), sent(visitor))
  expect(password.status).toBeGreaterThanOrEqual(400)
  expect(visitor.cookie('latchkey_admin')).toBe('')
})

test('a passkey that never verified its user is no second factor', async () => {
  const started = await startAdmin()
  await started.createOperator('grace')
  const { body } = await started.request.post('login/', passwordOf('grace'))
  const { key } = body as { key: string }
  const authenticator = createAuthenticator()
  expect((await register(started.request, key, authenticator, { flags: UP | AT })).status).toBe(201)
  const { reply } = await logInWith(started, authenticator, { ...FROM_ADMIN, flags: UP })
  expect(reply.status).toBe(400)
  expect(reply.cookies).toEqual([])

  const { browser } = await setUpApp(started, 'grace')
  const begun = await browser.post('passkeys/register/begin/', {}, sent(browser))
  const options = begun.body as Parameters<Authenticator['create']>[0]
  const another = createAuthenticator({ origin: ADMIN_ORIGIN })
  const credential = another.create(options, { flags: UP | AT })
  const made = await browser.post('passkeys/register/complete/', { credential }, sent(browser))
  expect(made.status).toBe(400)
})
