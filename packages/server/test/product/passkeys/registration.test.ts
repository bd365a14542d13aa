import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  AT,
  type CreationOptions,
  createAuthenticator,
  UP,
  UV,
} from '../../support/authenticator.ts'
import { countRows, dump } from '../../support/dump.ts'
import {
  beginLogin,
  beginRegistration,
  logIn,
  register,
  registered,
} from '../../support/passkeys.ts'
import { startAuth } from '../../support/start-auth.ts'

const EXPIRED = {
  non_field_errors: ['Registration challenge has expired. Please start over.'],
}
const FAILED = { non_field_errors: ['Registration verification failed.'] }
const TAKEN = { non_field_errors: ['This credential is already registered.'] }

test('begin answers with options for the browser', async () => {
  const { request, createUserWithToken } = await startAuth()
  const token = await createUserWithToken('ada')
  const reply = await request.post('passkeys/register/begin/', { name: 'k' }, { token })
  expect(reply).toMatchReply(200, {
    rp: { id: 'localhost', name: 'localhost' },
    user: {
      id: expect.stringMatching(/^[\w-]{86}$/),
      name: 'ada',
      displayName: 'ada',
    },
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
    timeout: 300_000,
    excludeCredentials: [],
    authenticatorSelection: {
      residentKey: 'preferred',
      requireResidentKey: false,
      userVerification: 'preferred',
    },
    attestation: 'none',
    extensions: { credProps: true },
  })
})

test('the user has one random handle for ever, and every challenge is new', async () => {
  const { request, createUserWithToken } = await startAuth()
  const ada = await createUserWithToken('ada')
  const bob = await createUserWithToken('bob')
  const [first, second, other] = [
    await beginRegistration(request, ada),
    await beginRegistration(request, ada),
    await beginRegistration(request, bob),
  ]
  expect(second.user.id).toBe(first.user.id)
  expect(second.challenge).not.toBe(first.challenge)
  expect(other.user.id).not.toBe(first.user.id)
})

test.each(['ES256', 'EdDSA', 'RS256'] as const)('a passkey is made with %s', async (algorithm) => {
  const started = await startAuth()
  const { request, createUserWithToken, db } = started
  const token = await createUserWithToken('ada')
  const authenticator = createAuthenticator({ algorithm })
  const reply = await register(request, token, authenticator)
  expect(reply).toMatchReply(201, {
    id: 1,
    name: 'Passkey',
    credential_id: authenticator.id,
    created_at: '2030-01-01T12:00:00.000Z',
    last_used_at: null,
    transports: ['internal', 'hybrid'],
    discoverable: true,
  })
  expect((await started.mail.letters()).map(({ to, template }) => [to, template])).toEqual([
    ['ada@example.com', 'passkey-added'],
  ])
  expect(await db.selectFrom('audit_events').select('event').execute()).toEqual([
    { event: 'passkey_added' },
  ])
})

test('the name is kept, hints come from where browsers put them, own passkeys are excluded', async () => {
  const { request, createUserWithToken } = await startAuth()
  const token = await createUserWithToken('ada')
  const bob = await createUserWithToken('bob')
  const authenticator = createAuthenticator()
  const credential = authenticator.create(await beginRegistration(request, token), {
    response: { transports: ['usb', 'usb', 7, 'a b', 'new-kind'] },
    credential: { transports: ['ble'], clientExtensionResults: { credProps: { rk: false } } },
  })
  const name = '<b>Mein Schlüssel</b> \u202e'
  const reply = await request.post('passkeys/register/complete/', { credential, name }, { token })
  expect(reply.body).toMatchObject({
    name: name.trim(),
    transports: ['usb', 'new-kind'],
    discoverable: false,
  })
  const again = await request.post('passkeys/register/begin/', {}, { token })
  expect(again.body).toMatchObject({
    excludeCredentials: [
      { type: 'public-key', id: authenticator.id, transports: ['usb', 'new-kind'] },
    ],
  })
  const others = await request.post('passkeys/register/begin/', {}, { token: bob })
  expect(others.body).toMatchObject({ excludeCredentials: [] })
})

test('a login is needed', async () => {
  const { request } = await startAuth()
  for (const path of ['passkeys/register/begin/', 'passkeys/register/complete/', 'passkeys/']) {
    const method = path === 'passkeys/' ? 'GET' : 'POST'
    const reply = await request.call(method, path)
    expect(reply.status).toBe(401)
  }
})

test('fields are checked before the challenge is touched', async () => {
  const { request, createUserWithToken, db } = await startAuth()
  const token = await createUserWithToken('ada')
  await beginRegistration(request, token)
  const complete = (body: object) => request.post('passkeys/register/complete/', body, { token })
  expect(await complete({})).toMatchReply(400, { credential: ['This field is required.'] })
  expect(await complete({ credential: null, name: '' })).toMatchReply(400, {
    credential: ['This field may not be null.'],
    name: ['This field may not be blank.'],
  })
  expect(await complete({ credential: {}, name: 'n'.repeat(256) })).toMatchReply(400, {
    name: ['Ensure this field has no more than 255 characters.'],
  })
  expect(await countRows(db, 'passkey_challenges')).toBe(1)
  const begin = await request.post('passkeys/register/begin/', { name: '' }, { token })
  expect(begin).toMatchReply(400, { name: ['This field may not be blank.'] })
})

test('a challenge works once, and any attempt uses it up', async () => {
  const { request, createUserWithToken } = await startAuth()
  const token = await createUserWithToken('ada')
  const complete = (credential: unknown) =>
    request.post('passkeys/register/complete/', { credential }, { token })

  const credential = createAuthenticator().create(await beginRegistration(request, token))
  expect((await complete(credential)).status).toBe(201)
  expect(await complete(credential)).toMatchReply(400, EXPIRED)

  const other = createAuthenticator().create(await beginRegistration(request, token))
  expect(await complete({ x: 1 })).toMatchReply(400, FAILED)
  expect(await complete(other)).toMatchReply(400, EXPIRED)
  expect(await complete('x')).toMatchReply(400, EXPIRED)
})

test('a challenge lives until its time is over, and no longer', async () => {
  const { request, createUserWithToken, clock } = await startAuth()
  const token = await createUserWithToken('ada')
  const attempt = async (waitMs: number) => {
    const credential = createAuthenticator().create(await beginRegistration(request, token))
    clock.advance(waitMs)
    return request.post('passkeys/register/complete/', { credential }, { token })
  }
  expect((await attempt(299_999)).status).toBe(201)
  expect(await attempt(300_000)).toMatchReply(400, EXPIRED)
})

test('only the newest begin counts', async () => {
  const { request, createUserWithToken, db } = await startAuth()
  const token = await createUserWithToken('ada')
  const credential = createAuthenticator().create(await beginRegistration(request, token))
  await beginRegistration(request, token)
  expect(await countRows(db, 'passkey_challenges')).toBe(1)
  const reply = await request.post('passkeys/register/complete/', { credential }, { token })
  expect(reply).toMatchReply(400, FAILED)
})

test('the challenge of one user does not work for another, nor does that of a login', async () => {
  const { request, createUserWithToken, db } = await startAuth()
  const ada = await createUserWithToken('ada')
  const bob = await createUserWithToken('bob')
  const options = await beginRegistration(request, ada)
  const complete = (credential: unknown) =>
    request.post('passkeys/register/complete/', { credential }, { token: bob })

  expect(await complete(createAuthenticator().create(options))).toMatchReply(400, EXPIRED)
  await beginRegistration(request, bob)
  expect(await complete(createAuthenticator().create(options))).toMatchReply(400, FAILED)

  const login = await beginLogin(request)
  await beginRegistration(request, bob)
  const crossed = createAuthenticator().create({ ...options, challenge: login.challenge })
  expect(await complete(crossed)).toMatchReply(400, FAILED)
  expect(await countRows(db, 'passkeys')).toBe(0)
})

test('a credential that somebody has is refused, and stays with its owner', async () => {
  const { request, createUserWithToken, db } = await startAuth()
  const ada = await createUserWithToken('ada')
  const bob = await createUserWithToken('bob')
  const authenticator = await registered(request, ada)
  expect(await register(request, bob, authenticator)).toMatchReply(400, TAKEN)
  expect(await register(request, ada, authenticator)).toMatchReply(400, TAKEN)
  expect(await db.selectFrom('passkeys').select('user_id').execute()).toEqual([{ user_id: 1 }])
})

test('of two users who register one credential in parallel, one gets it', async () => {
  const { request, createUserWithToken, db } = await startAuth()
  const tokens = [await createUserWithToken('ada'), await createUserWithToken('bob')]
  const credentialId = randomBytes(32)
  const replies = await Promise.all(
    tokens.map((token) => register(request, token, createAuthenticator(), { credentialId })),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 400])
  expect(await countRows(db, 'passkeys')).toBe(1)
})

test('there is an end to the number of passkeys of one user', async () => {
  const { request, createUserWithToken, db } = await startAuth()
  const token = await createUserWithToken('ada')
  await registered(request, token)
  const { id: _, ...row } = await db.selectFrom('passkeys').selectAll().executeTakeFirstOrThrow()
  const copies = Array.from({ length: 99 }, (_, i) => ({ ...row, credential_id: `copy${i}` }))
  await db.insertInto('passkeys').values(copies).execute()
  expect(await request.post('passkeys/register/begin/', {}, { token })).toMatchReply(400, {
    non_field_errors: ['You cannot have more than 100 passkeys. Delete one first.'],
  })
})

test('neither a challenge nor a login session can be read from the database', async () => {
  const { request, createUserWithToken, db } = await startAuth()
  const token = await createUserWithToken('ada')
  const { challenge } = await beginRegistration(request, token)
  const login = await beginLogin(request, { username: 'ada' })
  const values = (await dump(db)).join('\n')
  for (const secret of [challenge, login.challenge, login.session_id]) {
    expect(values).not.toContain(secret)
  }
})

/** What authenticators say about a passkey that they create without asking the user. */
const ABSENT = { flags: AT }

test('a passkey without the user present is added only if the page asked for that', async () => {
  const { request, db, createUserWithToken } = await startAuth()
  const token = await createUserWithToken('ada')
  const authenticator = createAuthenticator()
  const begin = async (body: object) =>
    (await request.post('passkeys/register/begin/', body, { token })).body as CreationOptions
  const complete = (options: CreationOptions) => {
    const credential = authenticator.create(options, ABSENT)
    return request.post('passkeys/register/complete/', { credential }, { token })
  }
  expect(await complete(await begin({}))).toMatchReply(400, FAILED)
  expect(await complete(await begin({ conditional: false }))).toMatchReply(400, FAILED)
  // The next challenge is an ordinary one again.
  await begin({ conditional: true })
  expect(await complete(await begin({}))).toMatchReply(400, FAILED)
  expect((await complete(await begin({ conditional: true }))).status).toBe(201)
  expect(await db.selectFrom('passkeys').select('user_verified').execute()).toEqual([
    { user_verified: 0 },
  ])

  expect((await logIn(request, authenticator, { lies: { flags: 0 } })).status).toBe(400)
  expect((await logIn(request, authenticator)).status).toBe(200)
})

test('a passkey that was made without asking never counts as two factors', async () => {
  const { request, db, createUserWithToken } = await startAuth()
  const token = await createUserWithToken('ada')
  const { body } = await request.post('passkeys/register/begin/', { conditional: true }, { token })
  const credential = createAuthenticator().create(body as CreationOptions, { flags: UP | UV | AT })
  const made = await request.post('passkeys/register/complete/', { credential }, { token })
  expect(made.status).toBe(201)
  expect(await db.selectFrom('passkeys').select('user_verified').execute()).toEqual([
    { user_verified: 0 },
  ])
})

test('nothing is created without the user where users must be verified', async () => {
  const { request, createUserWithToken } = await startAuth({
    REST_AUTH: { PASSKEY_USER_VERIFICATION: 'required' },
  })
  const token = await createUserWithToken('ada')
  const begun = await request.post('passkeys/register/begin/', { conditional: true }, { token })
  expect(begun).toMatchReply(400, FAILED)
})
