import { expect, test } from 'vitest'
import { STRONG, signup } from '../../support/accounts.ts'
import { ADA, changeKey, NEW, startWithAda } from '../../support/addresses.ts'
import { countRows } from '../../support/dump.ts'
import { activate, createUserWithMfa } from '../../support/mfa.ts'
import { registered } from '../../support/passkeys.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const VERIFY_FIRST = { non_field_errors: ['Verify your e-mail address first.'] }

test('a new address that waits proves nothing', async () => {
  const auth = await startAuth()
  const { request } = auth
  const { key: token } = (await request.post('registration/', signup('ada'))).body as {
    key: string
  }
  const activation = () => request.get('mfa/totp/activate/', { token })
  await request.post('email/change/', { email: NEW, password: STRONG }, { token })
  expect(await activation()).toMatchReply(400, VERIFY_FIRST)
  await request.post('email/change/confirm/', { key: await changeKey(auth) })
  expect((await activation()).status).toBe(200)
})

test('a change of address leaves what was added before any address was proved', async () => {
  const before = await startAuth({ MFA_ALLOW_UNVERIFIED_EMAIL: true }, { shared: true })
  await before.createUser({ username: 'ada', email: ADA })
  const login = await before.request.post('login/', { username: 'ada', password: PASSWORD })
  const { key: token } = login.body as { key: string }
  await registered(before.request, token)
  await activate(before, token)

  const auth = await startAuth({}, { beside: before })
  await auth.request.post('email/change/', { email: NEW, password: PASSWORD }, { token })
  const key = await changeKey(auth)
  expect((await auth.request.post('email/change/confirm/', { key })).status).toBe(200)
  expect(await countRows(auth.db, 'totp_authenticators')).toBe(1)
  expect(await countRows(auth.db, 'passkeys')).toBe(1)
  expect(await auth.mail.of('additions-removed')).toEqual([])
})

test('a proved address leaves the second factor where it is', async () => {
  const auth = await startWithAda()
  const { token } = await createUserWithMfa(auth, 'bob')
  const body = { email: NEW, password: PASSWORD }
  await auth.request.post('email/change/', body, { token })
  expect((await auth.confirm(await changeKey(auth))).status).toBe(200)
  expect(await countRows(auth.db, 'totp_authenticators')).toBe(1)
  expect(await auth.mail.of('additions-removed')).toEqual([])
})

test('where verification is mandatory a change proves the address, too', async () => {
  const auth = await startWithAda({ ACCOUNT: { EMAIL_VERIFICATION: 'mandatory' } })
  await auth.ask()
  await auth.confirm(await changeKey(auth))
  const login = await auth.request.post('login/', { email: NEW, password: PASSWORD })
  expect(login.status).toBe(200)
})
