import { expect, test } from 'vitest'
import { signup } from '../../support/accounts.ts'
import { startJwt } from '../../support/jwt.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const phone = { type: 'string', max_length: 20 }
const NOT_UNIQUE = { phone: ['This field must be unique.'] }

test('what cannot be edited is ignored, and so is what registration does not ask for', async () => {
  const { request, createUserWithToken } = await startAuth({
    USER_FIELDS: { phone: { ...phone, editable: false }, plan: { type: 'integer', signup: true } },
  })
  const token = await createUserWithToken('ada')
  const reply = await request.put('user/', { phone: ['x'], plan: 3 }, { token })
  expect(reply).toMatchReply(200, expect.objectContaining({ phone: null, plan: 3 }))

  const form = { ...signup('bob'), phone: ['x'], plan: '4' }
  const registered = await request.post('registration/', form)
  expect(registered.status).toBe(201)
  const { key } = registered.body as { key: string }
  const { body } = await request.get('user/', { token: key })
  expect(body).toMatchObject({ username: 'bob', phone: null, plan: 4 })
})

test('registration asks for what is required, and tells all that is wrong', async () => {
  const { request, administration } = await startAuth({
    USER_FIELDS: {
      phone: { ...phone, signup: true, required: true },
      age: { type: 'integer', signup: true },
    },
  })
  expect(await request.post('registration/', signup('ada'))).toMatchReply(400, {
    phone: ['This field is required.'],
  })
  const form = { ...signup('ada'), email: '', phone: '', age: 'x' }
  expect(await request.post('registration/', form)).toMatchReply(400, {
    email: ['This field may not be blank.'],
    phone: ['This field may not be blank.'],
    age: ['A valid integer is required.'],
  })
  expect(await administration.named('ada')).toEqual([])
})

test('a unique value belongs to one user until it is given up', async () => {
  const { request, createUserWithToken, administration, findUser } = await startAuth({
    USER_FIELDS: { phone: { ...phone, unique: true, signup: true } },
  })
  const [ada, bob] = [await createUserWithToken('ada'), await createUserWithToken('bob')]
  const set = (token: string, value: unknown) =>
    request.patch('user/', { phone: value, first_name: 'X' }, { token })
  expect((await set(ada, '123')).status).toBe(200)
  expect((await set(ada, ' 123 ')).status).toBe(200)
  expect(await set(bob, '123')).toMatchReply(400, NOT_UNIQUE)
  expect(await findUser('bob')).toMatchObject({ first_name: '' })
  expect(await request.post('registration/', { ...signup('eve'), phone: '123' })).toMatchReply(
    400,
    NOT_UNIQUE,
  )
  expect(await administration.named('eve')).toEqual([])

  // An empty value is never taken.
  expect((await set(ada, '')).status).toBe(200)
  expect((await set(bob, '')).status).toBe(200)
  expect((await set(bob, '123')).status).toBe(200)
  expect(await set(ada, '123')).toMatchReply(400, NOT_UNIQUE)

  await administration.remove(await findUser('bob'))
  expect((await set(ada, '123')).status).toBe(200)
})

test('of many users who take one value in parallel exactly one gets it', async () => {
  const { request, createUserWithToken } = await startAuth({
    USER_FIELDS: { phone: { ...phone, unique: true, signup: true } },
  })
  const tokens = []
  for (let i = 0; i < 6; i++) tokens.push(await createUserWithToken(`user${i}`))
  const replies = await Promise.all([
    ...tokens.map((token) => request.patch('user/', { phone: '1' }, { token })),
    ...['eve', 'mal'].map((name) => request.post('registration/', { ...signup(name), phone: '1' })),
  ])
  expect(replies.filter(({ status }) => status < 300)).toHaveLength(1)
  for (const reply of replies.filter(({ status }) => status >= 300)) {
    expect(reply).toMatchReply(400, NOT_UNIQUE)
  }
})

test('whoever comes too late is told so under the name that the field has on the wire', async () => {
  const { request, createUserWithToken } = await startAuth({
    USER_FIELDS: { phone: { ...phone, unique: true } },
    REST_AUTH: {
      USER_DETAILS_SERIALIZER: {
        fields: ['pk', 'tel', 'nick'],
        as: { tel: 'phone', nick: 'username' },
      },
    },
  })
  const tokens: string[] = []
  for (let i = 0; i < 6; i++) tokens.push(await createUserWithToken(`user${i}`))
  const all = (body: object) =>
    Promise.all(tokens.map((token) => request.patch('user/', body, { token })))
  for (const [body, message] of [
    [{ tel: '1' }, { tel: ['This field must be unique.'] }],
    [{ nick: 'ada' }, { nick: ['A user with that username already exists.'] }],
  ] as const) {
    const late = (await all(body)).filter(({ status }) => status !== 200)
    expect(late).toHaveLength(5)
    for (const reply of late) expect(reply).toMatchReply(400, message)
  }
})

test('parallel changes of different fields are all kept', async () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const { request, createUserWithToken } = await startAuth({
    USER_FIELDS: Object.fromEntries(names.map((name) => [name, { type: 'integer' }])),
  })
  const token = await createUserWithToken('ada')
  await Promise.all(names.map((name) => request.patch('user/', { [name]: 1 }, { token })))
  const { body } = await request.get('user/', { token })
  expect(body).toMatchObject({ a: 1, b: 1, c: 1, d: 1, e: 1 })
})

test('trying unique values is limited, as trying names is', async () => {
  const { request, createUserWithToken } = await startAuth({
    USER_FIELDS: { phone: { ...phone, unique: true } },
    ACCOUNT: { RATE_LIMITS: { change_name: '2/h/user' } },
  })
  const token = await createUserWithToken('ada')
  const tries = ['1', '2', '3']
  const statuses = []
  for (const value of tries) {
    statuses.push((await request.patch('user/', { phone: value }, { token })).status)
  }
  expect(statuses).toEqual([200, 200, 429])
})

test('a change of the name and a unique value counts once', async () => {
  const { request, createUserWithToken } = await startAuth({
    USER_FIELDS: { phone: { ...phone, unique: true } },
    ACCOUNT: { RATE_LIMITS: { change_name: '2/h/user' } },
  })
  const token = await createUserWithToken('ada')
  const statuses = []
  for (const phone of ['1', '2', '3']) {
    const change = { username: `ada${phone}`, phone }
    statuses.push((await request.patch('user/', change, { token })).status)
  }
  expect(statuses).toEqual([200, 200, 429])
})

test('the audit knows which fields changed, and no value', async () => {
  const { request, createUserWithToken, db } = await startAuth({ USER_FIELDS: { phone } })
  const token = await createUserWithToken('ada')
  await request.patch('user/', { phone: '555-secret' }, { token })
  await request.patch('user/', { phone: '555-secret' }, { token })
  const rows = await db.selectFrom('audit_events').select(['event', 'details']).execute()
  const changes = rows.filter(({ event }) => event === 'user_fields_changed')
  expect(changes).toEqual([{ event: 'user_fields_changed', details: '{"fields":"phone"}' }])
  expect(JSON.stringify(rows)).not.toContain('555-secret')
})

test('a login answer shows them, under the names of the serializer', async () => {
  const { request } = await startJwt({
    USER_FIELDS: { phone: { ...phone, unique: true } },
    REST_AUTH: {
      USER_DETAILS_SERIALIZER: {
        fields: ['id', 'tel', 'name', 'nick', 'is_staff', 'groups', 'last_login'],
        as: { tel: 'phone', name: 'first_name', nick: 'username' },
      },
    },
  })
  const login = await request.post('login/', { username: 'ada', password: PASSWORD })
  const { access, user } = login.body as { access: string; user: object }
  const shown = {
    id: expect.any(Number),
    tel: null,
    name: '',
    nick: 'ada',
    is_staff: false,
    groups: [],
    last_login: '2030-01-01T12:00:00.000Z',
  }
  expect(user).toEqual(shown)
  const headers = { authorization: `Bearer ${access}` }
  const body = { tel: '1', name: 'Ada', nick: 'countess', first_name: 'No', is_staff: true }
  expect(await request.patch('user/', body, { headers })).toMatchReply(200, {
    ...shown,
    tel: '1',
    name: 'Ada',
    nick: 'countess',
  })
  const wrong = await request.patch('user/', { nick: 'a b', tel: 'x'.repeat(21) }, { headers })
  expect(wrong.status).toBe(400)
  expect(Object.keys(wrong.body as object)).toEqual(['tel', 'nick'])
})

test('built-in fields are shown, and none of them can be edited', async () => {
  const fields = [
    ...['pk', 'id', 'date_joined', 'last_login', 'is_active', 'is_staff', 'is_superuser'],
    ...['email_verified', 'groups', 'profile_id'],
  ]
  const { request, createUserWithToken, administration, findUser } = await startAuth({
    REST_AUTH: { USER_DETAILS_SERIALIZER: { fields, as: { profile_id: 'pk' } } },
  })
  const token = await createUserWithToken('ada')
  const ada = await findUser('ada')
  await administration.set(ada, { isStaff: true, groups: ['editors', 'ops'] })
  const wanted = {
    pk: ada.id,
    id: ada.id,
    profile_id: ada.id,
    date_joined: '2030-01-01T12:00:00.000Z',
    last_login: '2030-01-01T12:00:00.000Z',
    is_active: true,
    is_staff: true,
    is_superuser: false,
    email_verified: true,
    groups: ['editors', 'ops'],
  }
  expect(await request.get('user/', { token })).toMatchReply(200, wanted)
  const sent = { is_superuser: true, groups: ['root'], is_staff: 'x', id: 9, profile_id: 9 }
  expect(await request.patch('user/', sent, { token })).toMatchReply(200, wanted)
})

test('the document describes them', async () => {
  const { request } = await startAuth({
    USER_FIELDS: { age: { type: 'integer', min: 1, signup: true, required: true } },
  })
  const { body } = await request.get('openapi.json')
  const schema = (path: string, method: string) => [
    ...['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'],
    ...['properties', 'age'],
  ]
  const age = expect.objectContaining({ type: 'integer', minimum: 1 })
  expect(body).toHaveProperty(schema('/user/', 'patch'), age)
  expect(body).toHaveProperty(schema('/registration/', 'post'), age)
  expect(body).toHaveProperty(
    ['components', 'schemas', 'UserDetails', 'properties', 'age', 'anyOf', '0'],
    expect.objectContaining({ type: 'integer' }),
  )
})
