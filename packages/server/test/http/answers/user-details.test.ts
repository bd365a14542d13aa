import { afterAll, expect, test } from 'vitest'
import { KEY, UNABLE } from '../../support/answers.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const TAKEN = { username: ['A user with that username already exists.'] }
const INVALID = {
  username: [
    'Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters.',
  ],
}
const TOO_LONG = ['Ensure this field has no more than 150 characters.']
const NULL = ['This field may not be null.']
const NOT_A_STRING = ['Not a valid string.']
const UPDATES = ['PATCH', 'PUT'] as const

async function startWithAda(settings = {}, options = {}) {
  const auth = await startAuth(settings, options)
  const token = await auth.createUserWithToken('ada')
  const { request } = auth
  const change = (body: object, method: 'PATCH' | 'PUT' = 'PATCH') =>
    request.call(method, 'user/', body, { token })
  const show = async () => (await request.get('user/', { token })).body
  return { ...auth, token, change, show }
}

const ADA = {
  pk: expect.any(Number),
  username: 'ada',
  email: 'ada@example.com',
  first_name: '',
  last_name: '',
}

test('a taken name is reported together with all other faults', async () => {
  const { change, show, createUserWithToken } = await startWithAda()
  await createUserWithToken('bob')
  const reply = await change({ username: 'bob', first_name: null })
  expect(reply).toMatchReply(400, { ...TAKEN, first_name: NULL })
  expect(await show()).toEqual(ADA)
  // Their own name in another case is not taken.
  expect(await change({ username: 'Ada' })).toMatchReply(200, { ...ADA, username: 'Ada' })
})

test.each(UPDATES)('%s changes what is sent and nothing else', async (method) => {
  const { change, show } = await startWithAda()
  const steps = [
    [{ first_name: 'Ada' }, { ...ADA, first_name: 'Ada' }],
    [{ last_name: ' Lovelace ' }, { ...ADA, first_name: 'Ada', last_name: 'Lovelace' }],
    [{}, { ...ADA, first_name: 'Ada', last_name: 'Lovelace' }],
    [
      { first_name: '', last_name: 7 },
      { ...ADA, last_name: '7' },
    ],
    [
      { username: 'countess', last_name: ' ' },
      { ...ADA, username: 'countess' },
    ],
  ] as const
  for (const [body, wanted] of steps) {
    expect(await change(body, method)).toMatchReply(200, wanted)
    expect(await show()).toEqual(wanted)
  }
})

test.each(UPDATES)(
  '%s ignores what is read-only or unknown, whatever its value',
  async (method) => {
    const { change, findUser } = await startWithAda()
    const before = await findUser('ada')
    const reply = await change(
      {
        pk: 99,
        id: 99,
        email: 'new@example.com',
        email_verified: true,
        password: 'x',
        is_active: false,
        is_staff: true,
        is_superuser: 1,
        date_joined: null,
        joined_at: 0,
        last_login: [],
        epoch: 7,
        username_key: 'bob',
        groups: ['admin'],
      },
      method,
    )
    expect(reply).toMatchReply(200, ADA)
    expect(await findUser('ada')).toEqual(before)
  },
)

const unchanged = await startWithAda({}, { atTheEnd: afterAll })

test.each([
  [{ username: '' }, { username: ['This field may not be blank.'] }],
  [{ username: '  ' }, { username: ['This field may not be blank.'] }],
  [
    { username: null, first_name: null, last_name: null },
    { username: NULL, first_name: NULL, last_name: NULL },
  ],
  [
    { username: ['x'], first_name: true, last_name: {} },
    { username: NOT_A_STRING, first_name: NOT_A_STRING, last_name: NOT_A_STRING },
  ],
  [{ first_name: 'x'.repeat(151) }, { first_name: TOO_LONG }],
  [{ last_name: '😀'.repeat(151) }, { last_name: TOO_LONG }],
  [{ username: 'x'.repeat(151) }, { username: TOO_LONG }],
  [{ username: 'ﬃ'.repeat(51) }, { username: TOO_LONG }],
  [
    { username: 'a b', first_name: 'x'.repeat(151), last_name: null },
    { ...INVALID, first_name: TOO_LONG, last_name: NULL },
  ],
  [{ first_name: 'a\0b' }, { first_name: ['Null characters are not allowed.'] }],
  [{ username: 'a b' }, INVALID],
  [{ username: 'a/b' }, INVALID],
  [{ username: 'a\nb' }, INVALID],
  [{ username: '<script>' }, INVALID],
  [{ username: 'a\u200Db' }, INVALID],
  [{ username: '\u202Eada' }, INVALID],
  [{ username: "x'; drop table users; --" }, INVALID],
  [{ username: '😀' }, INVALID],
])('%j is refused, and nothing is changed', async (body, wanted) => {
  const { change, show } = unchanged
  for (const method of UPDATES) {
    const reply = await change({ first_name: 'Ada', last_name: 'Lovelace', ...body }, method)
    expect(reply).toMatchReply(400, wanted)
  }
  expect(await show()).toEqual(ADA)
})

test.each([
  ['150 characters', 'x'.repeat(150)],
  ['150 characters beyond the first plane', '😀'.repeat(150)],
  ['markup', '<b>{{7*7}}</b>'],
  ['a query', "Robert'); DROP TABLE users;--"],
  ['the other direction', 'שלום'],
])('a first name is stored as it is: %s', async (_, first_name) => {
  const { change, show } = await startWithAda()
  expect(await change({ first_name })).toMatchReply(200, { ...ADA, first_name })
  expect(await show()).toEqual({ ...ADA, first_name })
})

test.each([
  ['ada.lovelace+x@example-1_2', 'ada.lovelace+x@example-1_2'],
  ['жанна', 'жанна'],
  ['Adé', 'Adé'],
  ['Ade\u0301', 'Adé'],
  ['ｃｏｕｎｔｅｓｓ', 'countess'],
  ['12', '12'],
  ['x'.repeat(150), 'x'.repeat(150)],
])('the username %s is stored as %s', async (sent, username) => {
  const { change } = await startWithAda()
  expect(await change({ username: sent })).toMatchReply(200, { ...ADA, username })
})

test.each([['bob'], ['BOB'], [' bob '], ['ｂｏｂ'], ['ＢＯＢ']])(
  'the name of another is taken, also as %j',
  async (username) => {
    const { change, createUser, show, findUser } = await startWithAda()
    const bob = await createUser({ username: 'Bob' })
    for (const method of UPDATES) {
      expect(await change({ username, first_name: 'X' }, method)).toMatchReply(400, TAKEN)
    }
    expect(await show()).toEqual(ADA)
    expect(await findUser('bob')).toEqual(bob)
  },
)

test.each(['ada', 'ADA', 'Ada', 'ａｄａ'])(
  'one’s own name is free, also as %s',
  async (username) => {
    const { change } = await startWithAda()
    const wanted = { ...ADA, username: username.normalize('NFKC') }
    expect(await change({ username }, 'PUT')).toMatchReply(200, wanted)
    expect(await change({ username }, 'PATCH')).toMatchReply(200, wanted)
  },
)

test('after a change of name the new one logs in and the old one is free', async () => {
  const { change, createUser, request } = await startWithAda()
  await change({ username: 'countess' })
  const logIn = (username: string) => request.post('login/', { username, password: PASSWORD })
  expect(await logIn('ada')).toMatchReply(400, UNABLE)
  expect(await logIn('Countess')).toMatchReply(200, KEY)
  await createUser({ username: 'ada' })
  expect(await logIn('ada')).toMatchReply(200, KEY)
})

test('of many users who take one name in parallel exactly one gets it', async () => {
  const { request, createUserWithToken, db } = await startAuth()
  const names = Array.from({ length: 12 }, (_, i) => `user${i}`)
  const tokens = await Promise.all(names.map((name) => createUserWithToken(name)))
  const spellings = ['countess', 'Countess', 'COUNTESS', 'ｃountess']
  const replies = await Promise.all(
    tokens.map((token, i) => {
      const username = spellings[i % spellings.length]
      return request.patch('user/', { username }, { token })
    }),
  )
  const [winners, others] = [200, 400].map((s) => replies.filter(({ status }) => status === s))
  expect(winners).toHaveLength(1)
  expect(others).toHaveLength(11)
  for (const reply of others ?? []) expect(reply).toMatchReply(400, TAKEN)
  const kept = await db.selectFrom('users').select('username').execute()
  expect(kept.filter(({ username }) => names.includes(username))).toHaveLength(11)
})

test('a setting lists the shown fields, and other fields cannot be edited', async () => {
  const { change, show, findUser } = await startWithAda({
    REST_AUTH: { USER_DETAILS_SERIALIZER: { fields: ['pk', 'username'] } },
  })
  const { pk, username } = ADA
  expect(await show()).toEqual({ pk, username })
  const reply = await change({ first_name: 'Ada', username: 'countess' })
  expect(reply).toMatchReply(200, { pk, username: 'countess' })
  expect(await findUser('countess')).toMatchObject({ first_name: '' })
})

test('what may be edited is a setting, too', async () => {
  const { change, show } = await startWithAda({
    REST_AUTH: { USER_DETAILS_SERIALIZER: { editable: ['last_name'] } },
  })
  const reply = await change({ username: ['x'], first_name: 'Ada', last_name: 'Lovelace' }, 'PUT')
  expect(reply).toMatchReply(200, { ...ADA, last_name: 'Lovelace' })
  expect(await show()).toEqual({ ...ADA, last_name: 'Lovelace' })
})

test('forms edit as well as JSON does', async () => {
  const { request, token, show } = await startWithAda()
  const type = 'application/x-www-form-urlencoded'
  await request.patch('user/', 'first_name=Ada%20&last_name=L%C3%B6v', { token, type })
  expect(await show()).toEqual({ ...ADA, first_name: 'Ada', last_name: 'Löv' })
})
