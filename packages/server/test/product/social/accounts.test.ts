import { expect, test } from 'vitest'
import { countRows } from '../../support/dump.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { codeOf, createUserWithMfa, MFA_REQUIRED } from '../../support/mfa.ts'
import { startAuth } from '../../support/start-auth.ts'

const ANONYMOUS = { detail: 'Authentication credentials were not provided.' }
const NOT_FOUND = { detail: 'Not found.' }
const DISCONNECTED = { detail: 'Social account disconnected.' }
const LAST = {
  detail: 'This is your only way to log in. Set a password or connect another account first.',
}
const OF_ANOTHER = {
  non_field_errors: ['The social account is already connected to a different account.'],
}
const NOW = '2030-01-01T12:00:00.000Z'

async function start() {
  const idp = await startHostileProvider()
  const auth = await startAuth(idp.settings())
  const { request, clock, db } = auth
  const idToken = (sub: string) => idp.idToken(clock, { sub })
  const logIn = async (sub: string) => {
    const reply = await request.post('idp/', { id_token: await idToken(sub) })
    return (reply.body as { key: string }).key
  }
  const connect = async (token: string, sub: string) =>
    request.post('idp/connect/', { id_token: await idToken(sub) }, { token })
  const list = async (token: string) =>
    (await request.get('socialaccounts/', { token })).body as { id: number; uid: string }[]
  const disconnect = (token: string, id: number | string) =>
    request.post(`socialaccounts/${id}/disconnect/`, {}, { token })
  const events = async () =>
    (await db.selectFrom('audit_events').select('event').orderBy('id').execute()).map(
      ({ event }) => event,
    )
  return { ...auth, idp, idToken, logIn, connect, list, disconnect, events }
}

test('a user connects a social account, gets a mail, and can log in with it', async () => {
  const auth = await start()
  const { createUserWithToken, connect, logIn, list, events, clock } = auth
  const token = await createUserWithToken('ada')
  const account = {
    id: expect.any(Number),
    provider: 'idp',
    uid: 'ada-there',
    last_login: NOW,
    date_joined: NOW,
  }
  expect(await connect(token, 'ada-there')).toMatchReply(200, account)
  expect(await auth.mail.letters()).toMatchObject([
    { to: 'ada@example.com', template: 'social-account-connected' },
  ])
  expect(await events()).toEqual(['social_account_connected'])

  clock.advance(60_000)
  expect(await logIn('ada-there')).toBe(token)
  expect(await list(token)).toEqual([{ ...account, last_login: '2030-01-01T12:01:00.000Z' }])
})

test('connecting what is connected already changes nothing', async () => {
  const auth = await start()
  const token = await auth.createUserWithToken('ada')
  const first = await auth.connect(token, 'ada-there')
  expect(await auth.connect(token, 'ada-there')).toMatchReply(200, first.body)
  expect(await auth.mail.letters()).toHaveLength(1)
  expect(await countRows(auth.db, 'social_accounts')).toBe(1)
})

test("somebody else's identity is refused, and stays where it is", async () => {
  const { createUserWithToken, connect, logIn, list, db } = await start()
  const victim = await logIn('victim-there')
  const mallory = await createUserWithToken('mallory')
  const reply = await connect(mallory, 'victim-there')
  expect(reply).toMatchReply(400, OF_ANOTHER)
  expect(reply.cookies).toEqual([])
  expect(await list(mallory)).toEqual([])
  expect(await logIn('victim-there')).toBe(victim)
  expect(await countRows(db, 'outbox')).toBe(0)
})

test('of two parallel connections of one identity exactly one succeeds', async () => {
  const { createUserWithToken, connect, db } = await start()
  const tokens = [await createUserWithToken('ada'), await createUserWithToken('bob')]
  const replies = await Promise.all(tokens.map((token) => connect(token, 'one')))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect(await countRows(db, 'social_accounts')).toBe(1)
})

test('connecting proves as much as logging in', async () => {
  const { createUserWithToken, request, idp, clock, db } = await start()
  const token = await createUserWithToken('ada')
  const id_token = await idp.idToken(clock, { aud: 'another-client' })
  const reply = await request.post('idp/connect/', { id_token }, { token })
  expect(reply).toMatchReply(400, { non_field_errors: ['Incorrect value'] })
  expect(await request.post('idp/connect/', {}, { token })).toMatchReply(400, {
    non_field_errors: ['Incorrect input. access_token or code is required.'],
  })
  expect(await countRows(db, 'social_accounts')).toBe(0)
})

test('without a login there is nothing to connect, list or disconnect', async () => {
  const { request, idToken, idp } = await start()
  const id_token = await idToken('ada')
  expect(await request.post('idp/connect/', { id_token })).toMatchReply(401, ANONYMOUS)
  expect(await request.get('socialaccounts/')).toMatchReply(401, ANONYMOUS)
  expect(await request.post('socialaccounts/1/disconnect/')).toMatchReply(401, ANONYMOUS)
  expect(idp.heard).toEqual([])
})

test('a session needs the CSRF token to connect and to disconnect', async () => {
  const { createUser, logInBrowser, idToken, db } = await start()
  await createUser({ username: 'ada' })
  const browser = await logInBrowser('ada')
  const id_token = await idToken('ada-there')
  expect((await browser.post('idp/connect/', { id_token })).status).toBe(403)
  expect(await countRows(db, 'social_accounts')).toBe(0)
  const reply = await browser.post('idp/connect/', { id_token }, browser.csrf())
  expect(reply.status).toBe(200)
  const { id } = reply.body as { id: number }
  expect((await browser.post(`socialaccounts/${id}/disconnect/`)).status).toBe(403)
  const done = await browser.post(`socialaccounts/${id}/disconnect/`, {}, browser.csrf())
  expect(done).toMatchReply(200, DISCONNECTED)
})

test('with a password an account can be disconnected, and no longer logs in as that user', async () => {
  const auth = await start()
  const { createUserWithToken, connect, disconnect, logIn, list, events } = auth
  const token = await createUserWithToken('ada')
  const { id } = (await connect(token, 'ada-there')).body as { id: number }
  expect(await disconnect(token, id)).toMatchReply(200, DISCONNECTED)
  expect(await list(token)).toEqual([])
  expect(await events()).toEqual(['social_account_connected', 'social_account_disconnected'])
  expect((await auth.mail.templates()).toSorted()).toEqual([
    'social-account-connected',
    'social-account-disconnected',
  ])
  expect(await disconnect(token, id)).toMatchReply(404, NOT_FOUND)
  expect(await logIn('ada-there')).not.toBe(token)
})

test('the last way to log in cannot be disconnected', async () => {
  const { logIn, connect, disconnect, list, db } = await start()
  const token = await logIn('ada-there')
  const [first] = await list(token)
  expect(await disconnect(token, first?.id ?? 0)).toMatchReply(400, LAST)
  expect(await list(token)).toHaveLength(1)
  expect(await countRows(db, 'outbox')).toBe(0)

  await connect(token, 'ada-elsewhere')
  expect(await disconnect(token, first?.id ?? 0)).toMatchReply(200, DISCONNECTED)
  const [second] = await list(token)
  expect(await disconnect(token, second?.id ?? 0)).toMatchReply(400, LAST)
})

test('of the last two, disconnected in parallel, one stays', async () => {
  const { logIn, connect, disconnect, list } = await start()
  const token = await logIn('ada-there')
  await connect(token, 'ada-elsewhere')
  const accounts = await list(token)
  const replies = await Promise.all(accounts.map(({ id }) => disconnect(token, id)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect(await list(token)).toHaveLength(1)
})

test("another user's account, and what is none, is not found", async () => {
  const { createUserWithToken, logIn, disconnect, list } = await start()
  const ada = await logIn('ada-there')
  const [account] = await list(ada)
  const bob = await createUserWithToken('bob')
  for (const id of [account?.id ?? 0, 0, -1, 9999, '1e1', 'x', '9'.repeat(30), '%00', '1%27']) {
    expect(await disconnect(bob, id)).toMatchReply(404, NOT_FOUND)
  }
  expect(await list(ada)).toHaveLength(1)
})

test('a user with MFA gets half a login, and finishes it with a code', async () => {
  const auth = await start()
  const { request, connect, idToken, db } = auth
  const { token, secret } = await createUserWithMfa(auth, 'ada')
  await connect(token, 'ada-there')
  const before = await countRows(db, 'logins')
  const half = await request.post('idp/', { id_token: await idToken('ada-there') })
  expect(half).toMatchReply(200, MFA_REQUIRED)
  expect(half.cookies).toEqual([])
  expect(await countRows(db, 'logins')).toBe(before)

  const { ephemeral_token } = half.body as { ephemeral_token: string }
  const whole = await request.post('mfa/verify/', { ephemeral_token, code: codeOf(auth, secret) })
  expect(whole).toMatchReply(200, { key: token })
})
