import { expect, test } from 'vitest'
import { KEY, UNABLE } from '../../support/answers.ts'
import { countRows, dump } from '../../support/dump.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { startAuth } from '../../support/start-auth.ts'

const TAKEN = { non_field_errors: ['User is already registered with this e-mail address.'] }
const NOT_VERIFIED = { non_field_errors: ['E-mail is not verified.'] }

async function start(more: Record<string, unknown> = {}, settings: object = {}) {
  const idp = await startHostileProvider()
  const auth = await startAuth({ ...idp.settings(more), ...settings })
  const { request, clock, db } = auth
  const logIn = async (claims: object) =>
    request.post('idp/', { id_token: await idp.idToken(clock, claims) })
  const usersByName = () => db.selectFrom('users').selectAll().orderBy('id').execute()
  return { ...auth, idp, logIn, usersByName }
}

test('a new user has the names and the proved address, and no password', async () => {
  const { logIn, request, usersByName, mail } = await start()
  const reply = await logIn({
    email: 'Ada@Example.com',
    email_verified: true,
    preferred_username: 'ada',
    given_name: 'Ada',
    family_name: 'Lovelace',
  })
  const { key } = reply.body as { key: string }
  expect(await request.get('user/', { token: key })).toMatchReply(200, {
    pk: expect.any(Number),
    username: 'ada',
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
  })
  const [ada] = await usersByName()
  expect(ada).toMatchObject({ email_verified: 1, password: expect.stringMatching(/^!/) })
  expect(await mail.letters()).toEqual([])
  const guess = { username: 'ada', password: ada?.password }
  expect(await request.post('login/', guess)).toMatchReply(400, UNABLE)
})

test('a taken username gets a number; names are cleaned and cut', async () => {
  const { logIn, createUser, usersByName } = await start()
  await createUser({ username: 'ada' })
  await logIn({ preferred_username: 'ada', name: `A\0d\r\na\u202e ${'x'.repeat(200)}` })
  const [, second] = await usersByName()
  expect(second).toMatchObject({
    username: expect.stringMatching(/^ada\d+$/),
    first_name: 'Ad a',
    last_name: 'x'.repeat(150),
  })
})

test.each([
  ['not verified', { email_verified: false }],
  ['nothing said', {}],
  ['"true" as a text', { email_verified: 'true' }],
  ['1 for true', { email_verified: 1 }],
])('an address that is not proved (%s) is neither kept nor told about', async (_, claims) => {
  const { logIn, createUser, usersByName } = await start({ EMAIL_AUTHENTICATION: true })
  await createUser({ username: 'victim', email: 'victim@example.com', verified: true })
  const taken = await logIn({ sub: 'mallory', email: 'victim@example.com', ...claims })
  const free = await logIn({ sub: 'bob', email: 'bob@example.com', ...claims })
  expect(taken).toMatchReply(200, KEY)
  expect(free).toMatchReply(200, KEY)
  const [victim, ...others] = await usersByName()
  expect(victim).toMatchObject({ username: 'victim', last_login_at: null })
  expect(others).toMatchObject([
    { email: '', email_key: null, email_verified: 0 },
    { email: '', email_key: null, email_verified: 0 },
  ])
})

test('of several answers, the one that has verified the address counts', async () => {
  const { idp, request, clock, usersByName } = await start()
  // Cognito's ID token has a boolean, its profile the text "true".
  const email = 'ada@example.com'
  const id_token = await idp.idToken(clock, { email, email_verified: true })
  idp.giveForCode({ access_token: 'at', id_token })
  idp.answer('/userinfo', { sub: 'ada-elsewhere', email, email_verified: 'true' })
  expect(await request.post('idp/', { code: 'c' })).toMatchReply(200, KEY)
  expect(await usersByName()).toMatchObject([{ email, email_verified: 1 }])
})

test('an issuer can be declared not to be trusted on addresses', async () => {
  const { logIn, createUser, usersByName } = await start({ VERIFIED_EMAIL: false })
  await createUser({ username: 'victim', email: 'victim@example.com', verified: true })
  expect(await logIn({ email: 'victim@example.com', email_verified: true })).toMatchReply(200, KEY)
  expect((await usersByName())[1]).toMatchObject({ email: '' })
})

test('a proved address that somebody has is refused, and nothing is linked', async () => {
  const { logIn, createUser, db } = await start()
  await createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  const reply = await logIn({ email: 'ADA@example.com', email_verified: true })
  expect(reply).toMatchReply(400, TAKEN)
  expect(reply.cookies).toEqual([])
  expect(await countRows(db, 'users')).toBe(1)
  expect(await countRows(db, 'social_accounts')).toBe(0)
  expect(await countRows(db, 'logins')).toBe(0)
})

test('EMAIL_AUTHENTICATION links when both sides have verified the address', async () => {
  const auth = await start({ EMAIL_AUTHENTICATION: true })
  const { logIn, createUser, request, db } = auth
  const ada = await createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  const reply = await logIn({ sub: 'a', email: 'ada@example.com', email_verified: true })
  const { key } = reply.body as { key: string }
  expect((await request.get('user/', { token: key })).body).toMatchObject({ pk: ada.id })
  expect(await auth.mail.letters()).toMatchObject([
    { to: 'ada@example.com', template: 'social-account-connected' },
  ])
  // From now on only the identity counts, even if its address at the provider changes.
  const later = await logIn({ sub: 'a', email: 'other@example.com', email_verified: true })
  expect(later).toMatchReply(200, { key })
  expect(await countRows(db, 'users')).toBe(1)
})

test('EMAIL_AUTHENTICATION does not link to an account whose address nobody has verified', async () => {
  const { logIn, createUser, db } = await start({ EMAIL_AUTHENTICATION: true })
  await createUser({ username: 'squatter', email: 'ada@example.com' })
  const reply = await logIn({ email: 'ada@example.com', email_verified: true })
  expect(reply).toMatchReply(400, TAKEN)
  expect(await countRows(db, 'social_accounts')).toBe(0)
})

test('one provider may link although others do not, and the other way round', async () => {
  for (const [more, status] of [
    [{ email_authentication: true }, 200],
    [{ EMAIL_AUTHENTICATION: true, email_authentication: false }, 400],
  ] as const) {
    const { logIn, createUser, db } = await start(more)
    await createUser({ username: 'ada', email: 'ada@example.com', verified: true })
    const reply = await logIn({ email: 'ada@example.com', email_verified: true })
    expect(reply).toMatchReply(status, status === 200 ? KEY : TAKEN)
    expect(await countRows(db, 'social_accounts')).toBe(status === 200 ? 1 : 0)
  }
})

test('EMAIL_AUTHENTICATION does not link to an inactive account', async () => {
  const { logIn, createUser, db } = await start({ EMAIL_AUTHENTICATION: true })
  await createUser({ username: 'a', email: 'ada@example.com', verified: true, active: false })
  expect(await logIn({ email: 'ada@example.com', email_verified: true })).toMatchReply(400, UNABLE)
  expect(await countRows(db, 'social_accounts')).toBe(0)
})

test.each([
  ['optional', 200, KEY, 1],
  ['mandatory', 400, NOT_VERIFIED, 0],
])(
  'with verification %s, a login by a verified further address from Django answers %i',
  async (EMAIL_VERIFICATION, status, body, accounts) => {
    const auth = await start({ EMAIL_AUTHENTICATION: true }, { ACCOUNT: { EMAIL_VERIFICATION } })
    const { id } = await auth.createUser({ username: 'ada', email: 'ada@example.com' })
    const email = 'ada@work.example'
    const further = { user_id: id, email, email_key: email, verified: 1 } as const
    await auth.db
      .insertInto('django_addresses')
      .values({ id: 1, ...further })
      .execute()
    expect(await auth.logIn({ email, email_verified: true })).toMatchReply(status, body)
    expect(await countRows(auth.db, 'social_accounts')).toBe(accounts)
  },
)

test('the address is not the identity: a new subject with an old address is somebody else', async () => {
  const { logIn, db } = await start()
  await logIn({ sub: 'first', email: 'ada@example.com', email_verified: true })
  const reply = await logIn({ sub: 'second', email: 'ada@example.com', email_verified: true })
  expect(reply).toMatchReply(400, TAKEN)
  const unproved = await logIn({ sub: 'second', email: 'ada@example.com' })
  expect(unproved).toMatchReply(200, KEY)
  expect(await countRows(db, 'users')).toBe(2)
})

test('an inactive user cannot log in', async () => {
  const { logIn, usersByName, administration, db } = await start()
  await logIn({})
  const [user] = await usersByName()
  if (user) await administration.deactivate(user)
  const reply = await logIn({})
  expect(reply).toMatchReply(400, UNABLE)
  expect(reply.cookies).toEqual([])
  expect(await countRows(db, 'logins')).toBe(0)
})

test('after a user was deleted the identity is free again', async () => {
  const { logIn, usersByName, administration, db } = await start()
  await logIn({})
  const [user] = await usersByName()
  if (user) await administration.remove(user)
  expect(await countRows(db, 'social_accounts')).toBe(0)
  expect(await logIn({})).toMatchReply(200, KEY)
})

test('where verification is mandatory, only a proved address opens an account', async () => {
  const { logIn, db } = await start({}, { ACCOUNT: { EMAIL_VERIFICATION: 'mandatory' } })
  expect(await logIn({ sub: 'a', email: 'a@example.com' })).toMatchReply(400, NOT_VERIFIED)
  expect(await logIn({ sub: 'b' })).toMatchReply(400, NOT_VERIFIED)
  expect(await countRows(db, 'users')).toBe(0)
  const proved = await logIn({ sub: 'a', email: 'a@example.com', email_verified: true })
  expect(proved).toMatchReply(200, KEY)
})

test('a foreign page cannot log its visitor in', async () => {
  const { idp, request, clock, db } = await start()
  const headers = { origin: 'https://evil.example' }
  const id_token = await idp.idToken(clock)
  const reply = await request.post('idp/', { id_token }, { headers })
  expect(reply.status).toBe(403)
  expect(await countRows(db, 'users')).toBe(0)
})

test('the database holds no token of the provider', async () => {
  const { idp, request, clock, db } = await start()
  idp.knowAccessToken('opaque-access-token', { sub: 'ada-elsewhere' })
  const id_token = await idp.idToken(clock)
  await request.post('idp/', { access_token: 'opaque-access-token', id_token })
  const kept = (await dump(db)).join()
  expect(kept).toContain('ada-elsewhere')
  for (const secret of ['opaque-access-token', id_token.split('.')[1] ?? '']) {
    expect(kept).not.toContain(secret)
  }
})

test('with JWT the answer is a pair, as at every login', async () => {
  const { logIn } = await start({}, { REST_AUTH: { USE_JWT: true } })
  expect(await logIn({ preferred_username: 'ada' })).toMatchReply(200, {
    access: expect.stringMatching(/^ey/),
    refresh: expect.stringMatching(/^ey/),
    user: expect.objectContaining({ username: 'ada' }),
  })
})
