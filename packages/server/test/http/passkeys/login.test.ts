import { expect, test } from 'vitest'
import { KEY } from '../../support/answers.ts'
import { UP } from '../../support/authenticator.ts'
import { countRows } from '../../support/dump.ts'
import { beginLogin, beginRegistration, logIn, registered } from '../../support/passkeys.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const EXPIRED = {
  non_field_errors: ['Authentication challenge has expired. Please start over.'],
}
const FAILED = { non_field_errors: ['Authentication verification failed.'] }
const MALFORMED = { non_field_errors: ['Invalid credential format.'] }

test('begin answers with options for the browser', async () => {
  const { request, createUserWithToken } = await startAuth()
  const token = await createUserWithToken('ada')
  const { id } = await registered(request, token)
  const options = {
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    timeout: 300_000,
    rpId: 'localhost',
    userVerification: 'preferred',
    session_id: expect.stringMatching(/^[0-9a-f]{32}$/),
  }
  const listed = { type: 'public-key', id, transports: ['internal', 'hybrid'] }
  const begin = (name: object) => request.post('passkeys/login/begin/', name)
  expect(await begin({})).toMatchReply(200, { ...options, allowCredentials: [] })
  for (const name of [{ username: 'ada' }, { username: 'ADA' }, { email: 'Ada@example.com' }]) {
    expect(await begin(name)).toMatchReply(200, { ...options, allowCredentials: [listed] })
  }
  expect(await begin({ email: 'x' })).toMatchReply(400, { email: ['Enter a valid email address.'] })
})

test.each(['ES256', 'EdDSA', 'RS256'] as const)('a passkey of %s logs in', async (algorithm) => {
  const { request, createUserWithToken, db, clock } = await startAuth()
  const token = await createUserWithToken('ada')
  const authenticator = await registered(request, token, { algorithm })
  clock.advance(60_000)
  for (const name of [{}, { username: 'ada' }, { email: 'ada@example.com' }]) {
    const reply = await logIn(request, authenticator, { name })
    expect(reply).toMatchReply(200, { key: token })
    expect(reply.cookies.map((cookie) => cookie.name).toSorted()).toEqual([
      'csrftoken',
      'sessionid',
    ])
  }
  expect((await request.get('passkeys/', { token })).body).toMatchObject([
    { last_used_at: '2030-01-01T12:01:00.000Z' },
  ])
  const methods = await db.selectFrom('logins').select('method').execute()
  expect(methods.filter(({ method }) => method === 'passkey')).toHaveLength(3)
})

test('a form will do, with the credential as JSON', async () => {
  const { request, createUserWithToken } = await startAuth()
  const authenticator = await registered(request, await createUserWithToken('ada'))
  const { session_id, challenge } = await beginLogin(request)
  const credential = JSON.stringify(authenticator.get({ challenge }))
  const form = new URLSearchParams({ credential, session_id }).toString()
  const reply = await request.post('passkeys/login/complete/', form, {
    type: 'application/x-www-form-urlencoded',
  })
  expect(reply).toMatchReply(200, KEY)
})

test('a named user need not be named by the authenticator, anybody else must', async () => {
  const { request, createUserWithToken } = await startAuth()
  const authenticator = await registered(request, await createUserWithToken('ada'))
  for (const userHandle of [undefined, null, '']) {
    const lies = { response: { userHandle } }
    expect(await logIn(request, authenticator, { name: { username: 'ada' }, lies })).toMatchReply(
      200,
      KEY,
    )
    expect(await logIn(request, authenticator, { lies })).toMatchReply(400, FAILED)
  }
})

test('a passkey of somebody else than was named is refused', async () => {
  const { request, createUserWithToken, createUser } = await startAuth()
  const authenticator = await registered(request, await createUserWithToken('ada'))
  await registered(request, await createUserWithToken('bob'))
  await createUser({ username: 'eve' })
  for (const username of ['bob', 'eve', 'nobody']) {
    const reply = await logIn(request, authenticator, { name: { username } })
    expect(reply).toMatchReply(400, FAILED)
    expect(reply.cookies).toEqual([])
  }
})

test('the handle of another user is refused, by name and without one', async () => {
  const { request, createUserWithToken } = await startAuth()
  const authenticator = await registered(request, await createUserWithToken('ada'))
  const { user } = await beginRegistration(request, await createUserWithToken('bob'))
  for (const userHandle of [user.id, 'AAAA', 5, {}]) {
    for (const name of [{}, { username: 'ada' }]) {
      const lies = { response: { userHandle } }
      expect(await logIn(request, authenticator, { name, lies })).toMatchReply(400, FAILED)
    }
  }
})

test('fields are checked before the challenge is touched', async () => {
  const { request, db } = await startAuth()
  const { session_id } = await beginLogin(request)
  const complete = (body: object) => request.post('passkeys/login/complete/', body)
  const required = ['This field is required.']
  expect(await complete({})).toMatchReply(400, { credential: required, session_id: required })
  for (const bad of ['abc', 'g'.repeat(32), `${session_id}0`]) {
    expect(await complete({ credential: 'x', session_id: bad })).toMatchReply(400, {
      session_id: ['This value does not match the required pattern.'],
    })
  }
  expect(await complete({ credential: 'x', session_id: 'a'.repeat(32) })).toMatchReply(400, EXPIRED)
  expect(await countRows(db, 'passkey_challenges')).toBe(1)
})

test.each([
  'x',
  7,
  true,
  [],
  {},
  { id: 'AAAA', rawId: 'AAAA', type: 'public-key' },
  { id: 'AAAA', rawId: 'AAAA', response: {} },
  { id: 'AAAA', type: 'public-key', response: {} },
  { rawId: 'AAAA', type: 'public-key', response: {} },
  { id: 5, rawId: 'AAAA', type: 'public-key', response: {} },
  { id: 'AAAA', rawId: ['AAAA'], type: 'public-key', response: {} },
  { id: 'AAAA', rawId: 'AAAA', type: {}, response: {} },
  { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: [] },
  { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: null },
])('what is no credential is told so, and uses the challenge up: %j', async (credential) => {
  const { request } = await startAuth()
  const { session_id } = await beginLogin(request)
  const complete = () => request.post('passkeys/login/complete/', { credential, session_id })
  expect(await complete()).toMatchReply(400, MALFORMED)
  expect(await complete()).toMatchReply(400, EXPIRED)
})

test('a challenge works once, for its own session, and for a short time', async () => {
  const { request, createUserWithToken, clock } = await startAuth()
  const token = await createUserWithToken('ada')
  const authenticator = await registered(request, token)
  const complete = (credential: unknown, session_id: string) =>
    request.post('passkeys/login/complete/', { credential, session_id })

  const used = await beginLogin(request)
  const credential = authenticator.get(used)
  expect((await complete(credential, used.session_id)).status).toBe(200)
  expect(await complete(credential, used.session_id)).toMatchReply(400, EXPIRED)

  const [one, other] = [await beginLogin(request), await beginLogin(request)]
  expect(await complete(authenticator.get(one), other.session_id)).toMatchReply(400, FAILED)
  expect(await complete(authenticator.get(other), other.session_id)).toMatchReply(400, EXPIRED)
  expect((await complete(authenticator.get(one), one.session_id)).status).toBe(200)

  const late = await beginLogin(request)
  clock.advance(300_000)
  expect(await complete(authenticator.get(late), late.session_id)).toMatchReply(400, EXPIRED)

  const registration = await beginRegistration(request, token)
  const crossed = await beginLogin(request)
  const wrong = authenticator.get(registration)
  expect(await complete(wrong, crossed.session_id)).toMatchReply(400, FAILED)
})

test('a deactivated user is refused like a wrong signature', async () => {
  const { request, createUserWithToken, administration, findUser } = await startAuth()
  const authenticator = await registered(request, await createUserWithToken('ada'))
  const ada = await findUser('ada')
  await administration.deactivate(ada)
  expect(await logIn(request, authenticator)).toMatchReply(400, FAILED)
})

test('if verification is mandatory, an unverified user gets the reason only after the proof', async () => {
  const { request, createUser, db } = await startAuth({
    ACCOUNT: { EMAIL_VERIFICATION: 'mandatory' },
  })
  await createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  const reply = await request.post('login/', { username: 'ada', password: PASSWORD })
  const authenticator = await registered(request, (reply.body as { key: string }).key)
  await db.updateTable('users').set({ email_verified: 0 }).execute()

  expect(await logIn(request, authenticator)).toMatchReply(400, {
    non_field_errors: ['E-mail is not verified.'],
  })
  const forged = await logIn(request, authenticator, { lies: { signature: () => Buffer.alloc(8) } })
  expect(forged).toMatchReply(400, FAILED)
})

test('an account that is locked for passwords is locked for passkeys', async () => {
  const { request, createUserWithToken } = await startAuth()
  const authenticator = await registered(request, await createUserWithToken('ada'))
  for (let i = 0; i < 10; i++) {
    await request.post('login/', { username: 'ada', password: 'wrong' }, { from: '192.0.2.7' })
  }
  expect(await logIn(request, authenticator)).toBeThrottled(300)
  const forged = await logIn(request, authenticator, { lies: { signature: () => Buffer.alloc(8) } })
  expect(forged).toMatchReply(400, FAILED)
})

test('a foreign page cannot log a visitor in', async () => {
  const { request, createUserWithToken } = await startAuth()
  const authenticator = await registered(request, await createUserWithToken('ada'))
  const call = { headers: { origin: 'https://evil.example' } }
  expect((await logIn(request, authenticator, { call })).status).toBe(403)
})

test('where user verification is required, a login without it is refused', async () => {
  const { request, createUserWithToken } = await startAuth({
    REST_AUTH: { PASSKEY_USER_VERIFICATION: 'required' },
  })
  const authenticator = await registered(request, await createUserWithToken('ada'))
  expect((await beginLogin(request)) as object).toMatchObject({ userVerification: 'required' })
  expect(await logIn(request, authenticator, { lies: { flags: UP } })).toMatchReply(400, FAILED)
  expect((await logIn(request, authenticator)).status).toBe(200)
})

test('a stale credential that comes along does not matter', async () => {
  const { request, createUserWithToken } = await startAuth()
  const authenticator = await registered(request, await createUserWithToken('ada'))
  const call = { headers: { authorization: 'Token gone' }, cookies: { sessionid: 'gone' } }
  expect(await logIn(request, authenticator, { call })).toMatchReply(200, KEY)
})
