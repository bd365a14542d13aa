import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { signup, verificationKey } from '../support/accounts.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { countRows } from '../support/dump.ts'
import { startHostileProvider } from '../support/hostile-provider.ts'
import { identityOf } from '../support/identities.ts'
import { sendJson } from '../support/loopback-server.ts'
import { completeLate, offerOf } from '../support/mfa.ts'
import { beginRegistration } from '../support/passkeys.ts'
import { type StartedAuth, startAuth } from '../support/start-auth.ts'

/**
 * Somebody who registers with another person's address must not be able to add anything that still
 * works after a reset. The owner would have a stranger's passkey, or need a code that they do not have.
 */
const VERIFY_FIRST = { non_field_errors: ['Verify your e-mail address first.'] }
const REFUSED = {
  status: 400,
  body: { non_field_errors: [{ code: 'verify_email_first' }] },
}

async function start(settings: object = {}) {
  const idp = await startHostileProvider()
  const auth = await startAuth({ ...idp.settings(), ...settings })
  const { request, clock } = auth
  const register = async (form: object) => {
    const reply = await request.post('registration/', form)
    return (reply.body as { key: string }).key
  }
  /** Every request that adds something, with bodies that would work. */
  const addAll = async (token: string) => [
    await request.get('mfa/totp/activate/', { token }),
    await request.post('mfa/totp/activate/', { activation_token: 'x', code: '123456' }, { token }),
    await request.post('passkeys/register/begin/', {}, { token }),
    await request.post('passkeys/register/complete/', { credential: {} }, { token }),
    await request.post('idp/connect/', { id_token: await idp.idToken(clock) }, { token }),
  ]
  return { ...auth, idp, register, addAll }
}

test('nothing is added until the address is proved, and then everything can be', async () => {
  const auth = await start()
  const { register, addAll, idp, db, request } = auth
  const token = await register(signup('ada'))
  for (const reply of await addAll(token)) expect(reply).toMatchReply(400, VERIFY_FIRST)
  expect(await countRows(db, 'totp_activations')).toBe(0)
  expect(await countRows(db, 'passkey_owners')).toBe(0)
  expect(await countRows(db, 'passkey_challenges')).toBe(0)
  expect(await countRows(db, 'social_accounts')).toBe(0)
  expect(await countRows(db, 'spent_proofs')).toBe(0)
  expect(await countRows(db, 'audit_events')).toBe(0)
  expect(idp.heard).toEqual([])

  const key = await verificationKey(auth, 'ada@example.com')
  await request.post('registration/verify-email/', { key })
  const replies = await addAll(token)
  expect(replies.map(({ status }) => status)).toEqual([200, 400, 200, 400, 200])
  for (const { body } of replies) expect(body).not.toEqual(VERIFY_FIRST)
})

test('missing fields are reported first', async () => {
  const { register, request } = await start()
  const token = await register(signup('ada'))
  const required = ['This field is required.']
  const reply = await request.post('mfa/totp/activate/', {}, { token })
  expect(reply).toMatchReply(400, { activation_token: required, code: required })
})

const fields = ['username*', 'email', 'password1*']
const withoutAddress = { ...signup('ada'), email: '' }

test.each<[string, object, object]>([
  ['users without an address', { ACCOUNT: { SIGNUP_FIELDS: fields } }, withoutAddress],
  ['no verification', { ACCOUNT: { EMAIL_VERIFICATION: 'none' } }, signup('ada')],
  ['MFA_ALLOW_UNVERIFIED_EMAIL', { MFA_ALLOW_UNVERIFIED_EMAIL: true }, signup('ada')],
])('%s: there is nothing to wait for', async (_, settings, form) => {
  const { register, addAll } = await start(settings)
  const replies = await addAll(await register(form))
  expect(replies.map(({ status }) => status)).toEqual([200, 400, 200, 400, 200])
  for (const { body } of replies) expect(body).not.toEqual(VERIFY_FIRST)
})

/** Something that happens between the beginning of a request and its end. */
async function startWithAda() {
  const auth = await start()
  const token = await auth.createUserWithToken('ada')
  const ada = await auth.findUser('ada')
  return { auth, token, ada }
}

const losesProof = ({ db }: StartedAuth) =>
  db.updateTable('users').set({ email_verified: 0 }).execute()

test('an address that is unproved meanwhile: no passkey is added', async () => {
  const { auth, token, ada } = await startWithAda()
  const credential = createAuthenticator().create(await beginRegistration(auth.request, token))
  await losesProof(auth)
  const adding = auth.auth.services.passkeys.completeRegistration(identityOf(ada), credential)
  await expect(adding).rejects.toMatchObject(REFUSED)
  expect(await countRows(auth.db, 'passkeys')).toBe(0)
  expect(await auth.mail.letters()).toEqual([])
})

test('an address that is unproved meanwhile: no second factor is added', async () => {
  const { auth, token, ada } = await startWithAda()
  const offer = await offerOf(auth, { token })
  await losesProof(auth)
  const adding = completeLate(auth, ada, offer)
  await expect(adding).rejects.toMatchObject(REFUSED)
  expect(await countRows(auth.db, 'totp_authenticators')).toBe(0)
  expect(await auth.mail.letters()).toEqual([])
})

test('an address that is unproved meanwhile: no account elsewhere is connected', async () => {
  const { auth, token } = await startWithAda()
  const { idp, request, clock, db } = auth
  const keys = idp.answered('/keys')
  idp.answer('/keys', async (response: ServerResponse) => {
    await losesProof(auth)
    sendJson(response, keys)
  })
  const id_token = await idp.idToken(clock)
  const reply = await request.post('idp/connect/', { id_token }, { token })
  expect(reply).toMatchReply(400, VERIFY_FIRST)
  expect(await countRows(db, 'social_accounts')).toBe(0)
  expect(await auth.mail.letters()).toEqual([])
})
