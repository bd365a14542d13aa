import { expect, test } from 'vitest'
import { KEY } from '../../support/answers.ts'
import { countRows } from '../../support/dump.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { startAuth } from '../../support/start-auth.ts'

const CLOSED = { non_field_errors: ['Sign up is currently closed.'] }
const TAKEN = { non_field_errors: ['User is already registered with this e-mail address.'] }
const PROVED = { email: 'ada@example.com', email_verified: true }
const WITHOUT_REGISTRATION = { MODULES: ['social', 'mfa', 'passkeys'] }

type Social = { SIGNUP?: boolean; EMAIL_AUTHENTICATION?: boolean }

async function start(social: Social, settings: object = {}) {
  const idp = await startHostileProvider()
  const { SOCIALACCOUNT } = idp.settings()
  const auth = await startAuth({ SOCIALACCOUNT: { ...SOCIALACCOUNT, ...social }, ...settings })
  const { request, clock } = auth
  const logIn = async (claims: object = {}) =>
    request.post('idp/', { id_token: await idp.idToken(clock, claims) })
  const connect = async (token: string) =>
    request.post('idp/connect/', { id_token: await idp.idToken(clock) }, { token })
  return { ...auth, logIn, connect }
}

test.each<[string, Social, object]>([
  ['closed by the setting', { SIGNUP: false }, {}],
  ['closed with registration', {}, WITHOUT_REGISTRATION],
])('%s: an unknown identity opens no account', async (_, social, settings) => {
  const auth = await start(social, settings)
  for (const claims of [{}, PROVED, { preferred_username: 'ada' }]) {
    const reply = await auth.logIn(claims)
    expect(reply).toMatchReply(400, CLOSED)
    expect(reply.cookies).toEqual([])
  }
  expect(await countRows(auth.db, 'users')).toBe(0)
  expect(await countRows(auth.db, 'social_accounts')).toBe(0)
  expect(await countRows(auth.db, 'audit_events')).toBe(0)
  expect(await auth.mail.letters()).toEqual([])
})

test('SIGNUP keeps social sign-up open where registration is closed', async () => {
  const { logIn } = await start({ SIGNUP: true }, WITHOUT_REGISTRATION)
  expect(await logIn()).toMatchReply(200, KEY)
})

test('users can still connect social accounts, and log in with them', async () => {
  const { createUserWithToken, connect, logIn, db } = await start({ SIGNUP: false })
  const token = await createUserWithToken('ada')
  expect((await connect(token)).status).toBe(200)
  expect(await logIn()).toMatchReply(200, { key: token })
  expect(await countRows(db, 'users')).toBe(1)
})

test('EMAIL_AUTHENTICATION links to an account that exists; without it the address is taken', async () => {
  const linking = await start({ SIGNUP: false, EMAIL_AUTHENTICATION: true })
  const token = await linking.createUserWithToken('ada')
  expect(await linking.logIn(PROVED)).toMatchReply(200, { key: token })
  expect(await linking.logIn({ sub: 'other' })).toMatchReply(400, CLOSED)

  const plain = await start({ SIGNUP: false })
  await plain.createUserWithToken('ada')
  expect(await plain.logIn(PROVED)).toMatchReply(400, TAKEN)
  expect(await countRows(plain.db, 'social_accounts')).toBe(0)
})
