import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TestUser } from '../../src/testing/new-users.ts'
import { good, startService } from './support.ts'

let service: Awaited<ReturnType<typeof startService>>

beforeAll(async () => {
  service = await startService(
    {
      REST_AUTH: { USE_JWT: true, SESSION_LOGIN: true },
      USER_FIELDS: { phone: { type: 'string' } },
    },
    { atTheEnd: afterAll, seed: [{ username: 'seeded', password: 'a-password' }] },
  )
})

beforeEach(async () => {
  await good(service.test('POST', 'reset'))
})

const add = (body: unknown = {}) => good<TestUser>(service.test('POST', 'users', body))
const who = (authorization: string) => service.api('GET', 'user/', undefined, { authorization })
const cookieOf = ({ cookies }: Pick<TestUser, 'cookies'>) =>
  cookies.map(({ name, value }) => `${name}=${value}`).join('; ')

test('a user has a credential of every kind, all of them work, and no letter is written', async () => {
  const ada = await add({ username: 'ada', totp: true, passkey: true, groups: ['editors'] })
  expect(ada).toMatchObject({
    user: { pk: 2, username: 'ada', email: 'ada@example.com' },
    recovery_codes: expect.arrayContaining([expect.stringMatching(/^\w{5}-\w{5}$/)]),
    passkey: { rpId: 'localhost', signCount: 0 },
    totp_secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
  })
  expect(ada.cookies).toContainEqual(
    expect.objectContaining({ name: 'sessionid', domain: 'localhost', sameSite: 'Lax' }),
  )
  const named = { status: 200, body: { username: 'ada' } }
  expect(await who(`Token ${ada.key}`)).toMatchObject(named)
  expect(await who(`Bearer ${ada.access}`)).toMatchObject(named)
  expect(await service.api('GET', 'user/', undefined, { cookie: cookieOf(ada) })).toMatchObject(
    named,
  )
  const refreshed = await service.api('POST', 'token/refresh/', { refresh: ada.refresh })
  expect(refreshed.status).toBe(200)

  const { password } = ada
  const first = await service.api('POST', 'login/', { username: 'ada', password })
  expect(first.body).toMatchObject({ mfa_required: true })
  const { code } = await good<{ code: string }>(service.test('GET', 'totp/2'))
  const { ephemeral_token } = first.body as { ephemeral_token: string }
  const second = await service.api('POST', 'mfa/verify/', { ephemeral_token, code })
  expect(second.status).toBe(200)
  // The code is spent, so the next one is given.
  const next = await good<{ code: string }>(service.test('GET', 'totp/ada'))
  expect(next.code).not.toBe(code)
  expect(await good(service.test('GET', 'mail'))).toEqual([])
})

test('everything has a default, and a list gives a list in its order', async () => {
  const one = await add()
  expect(one.user.email).toBe(`${one.user.username}@example.com`)
  expect(one).toMatchObject({ totp_secret: null, recovery_codes: null, passkey: null })
  const many = await good<TestUser[]>(
    service.test('POST', 'users', [{ username: 'b' }, { username: 'a', fields: { phone: '1' } }]),
  )
  expect(many.map(({ user }) => [user.pk, user.username])).toEqual([
    [3, 'b'],
    [4, 'a'],
  ])
  expect(many[1]?.user.phone).toBe('1')
})

test('a user who cannot log in has no credential', async () => {
  const closed = await add({ username: 'closed', active: false })
  expect(closed).toMatchObject({ key: null, access: null, refresh: null, cookies: [] })
})

test('a login has the mode that is asked for', async () => {
  await add({ username: 'ada' })
  const login = (body: object) => good<TestUser>(service.test('POST', 'login', body))
  expect(await who(`Token ${(await login({ user: 'ada', mode: 'token' })).key}`)).toMatchObject({
    status: 200,
  })
  const jwt = await login({ user: 'ada@example.com', mode: 'jwt' })
  expect(await who(`Bearer ${jwt.access}`)).toMatchObject({ status: 200 })
  const session = await login({ user: 2, mode: 'session' })
  expect(session.key).toBeUndefined()
  const cookie = cookieOf(session)
  expect(await service.api('GET', 'user/', undefined, { cookie })).toMatchObject({ status: 200 })
})

test('without a code, a login stops at the second step', async () => {
  await add({ username: 'ada', totp: true })
  const half = await good(service.test('POST', 'login', { user: 'ada', mfa: false }))
  expect(half).toMatchObject({ mfa_required: true, cookies: [] })
  expect(half).not.toHaveProperty('access')
})

test('an old login is no longer fresh, and a very old one has expired', async () => {
  const { password } = await add({ username: 'ada' })
  const login = async (body: object) => {
    const answer = await good<TestUser>(service.test('POST', 'login', { user: 'ada', ...body }))
    return { cookie: cookieOf(answer), ...answer }
  }
  const old = await login({ mode: 'jwt', age: '1h' })
  // The access token is made now, and belongs to the old login.
  expect(await who(`Bearer ${old.access}`)).toMatchObject({ status: 200 })
  const { body } = await service.api('GET', 'sessions/', undefined, {
    authorization: `Bearer ${old.access}`,
  })
  const current = (body as { current: boolean; created_at: string }[]).find((one) => one.current)
  expect(Date.now() - Date.parse(current?.created_at ?? '')).toBeGreaterThan(3_500_000)

  const ended = await login({ mode: 'session', age: '15d' })
  const answer = await service.api('GET', 'user/', undefined, { cookie: ended.cookie })
  expect(answer.status).toBe(401)
  expect(password).not.toBe('')
})

test('an access token of an old login is refused where a recent one is needed', async () => {
  const other = await startService({ API_KEYS: true, REST_AUTH: { USE_JWT: true } })
  await good(other.test('POST', 'users', { username: 'ada' }))
  const make = async (seconds: number) => {
    const login = { user: 'ada', mode: 'jwt', age: seconds }
    const { access } = await good<{ access: string }>(other.test('POST', 'login', login))
    const claims = JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toMatchObject({ sid: expect.anything() })
    expect(claims.iat - claims.auth_time).toBeCloseTo(seconds, -1)
    const key = { name: 'backup', scopes: ['user:read'] }
    return other.api('POST', 'tokens/', key, { authorization: `Bearer ${access}` })
  }
  expect(await make(600)).toMatchObject({
    status: 403,
    body: { code: 'reauthentication_required' },
  })
  expect(await make(1)).toMatchObject({ status: 201 })
})

test('the seed is there from the start, and its users can log in', async () => {
  const answer = await service.api('POST', 'login/', { username: 'seeded', password: 'a-password' })
  expect(answer.status).toBe(200)
})

test.each([
  ['users', 5, 'to be an object'],
  ['users', '{"username": ', 'not valid JSON'],
  ['users', { usernam: 'ada' }, 'Did you mean "username"?'],
  ['users', { zzzzzz: 1 }, 'Expected username'],
  ['users', { totp: 'perhaps' }, 'totp: expected true or false'],
  ['users', { email: 'nobody' }, 'email: Enter a valid email address.'],
  ['users', { username: '' }, 'username:'],
  ['users', [{ username: 'ada' }, { username: 'seeded' }], 'users[1]: username: '],
  ['users', [{}, { usernam: 'ada' }], 'users[1]. Did you mean "username"?'],
  ['users', { username: 'seeded' }, 'A user with that username already exists.'],
  ['login', {}, 'user: expected a pk, a username or an address.'],
  ['login', { user: 'nobody' }, 'there is no user "nobody"'],
  ['login', { user: 'seeded', mode: 'basic' }, 'mode: expected token, jwt, session.'],
  ['login', { user: 'seeded', age: 'long' }, 'age: expected a duration'],
  ['login', { user: 'seeded', mfa: 7 }, 'mfa: expected true or false'],
  ['login', [], 'Expected the body to be an object, not a list.'],
])('POST %s %j is refused with words that help', async (path, body, words) => {
  const before = await good<{ username: string }[]>(service.test('GET', 'events'))
  const { status, body: answer } = await service.test('POST', path, body)
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
  expect((answer as { detail: string }).detail).toContain(words)
  expect(await good(service.test('GET', 'events'))).toHaveLength(before.length)
})

test('there is an end to a list of users', async () => {
  const many = Array.from({ length: 1001 }, () => ({}))
  expect(await service.test('POST', 'users', many)).toMatchObject({
    status: 400,
    body: { detail: 'At most 1000 users at once.' },
  })
})

test('codes of users without an app, and paths that do not exist', async () => {
  expect(await service.test('GET', 'totp/seeded')).toMatchObject({ status: 404 })
  expect(await service.test('GET', 'totp/99')).toMatchObject({ status: 404 })
  expect(await service.test('GET', 'nothing')).toMatchObject({
    status: 404,
    body: { detail: expect.stringContaining('snapshot') },
  })
  const wrong = await service.test('GET', 'users')
  expect(wrong).toMatchObject({ status: 405, body: { detail: expect.stringContaining('POST') } })
  expect(wrong.headers.get('allow')).toBe('POST')
})

test('a mode that is off names the setting', async () => {
  const plain = await startService({ REST_AUTH: { TOKEN_MODEL: null } })
  await good(plain.test('POST', 'users', { username: 'ada' }))
  for (const [mode, setting] of Object.entries({ token: 'TOKEN_MODEL', jwt: 'USE_JWT' })) {
    expect(await plain.test('POST', 'login', { user: 'ada', mode })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining(setting) },
    })
  }
})
