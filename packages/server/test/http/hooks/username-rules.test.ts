import { afterAll, expect, test } from 'vitest'
import type { RuledUser, UsernameRule } from '../../../src/core/host/host-options.ts'
import { signup } from '../../support/accounts.ts'
import { KEY, UNAVAILABLE } from '../../support/answers.ts'
import { UNLIMITED, writesNothing } from '../../support/hooks.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { startAuth } from '../../support/start-auth.ts'

const idp = await startHostileProvider(afterAll)
const RESERVED = 'This name is reserved.'
const TAKEN = 'A user with that username already exists.'
const noRoot: UsernameRule = (username) => (/^root/i.test(username) ? [RESERVED] : null)

const start = (usernameRules: UsernameRule, ACCOUNT: object = {}) =>
  startAuth({ ...idp.settings(), ACCOUNT: { ...UNLIMITED, ...ACCOUNT } }, { usernameRules })

test('a name that breaks the rule is refused at registration, in every spelling', async () => {
  const auth = await start(noRoot)
  const { request } = auth
  for (const name of ['root', 'Root', 'ｒｏｏｔ']) {
    const post = () => request.post('registration/', signup(name, 'eve@example.com'))
    expect(await writesNothing(auth, post)).toMatchReply(400, { username: [RESERVED] })
  }
  expect(await request.post('registration/', signup('ada'))).toMatchReply(201, KEY)
})

test('its words stand after ours, beside the faults of other fields', async () => {
  const { request, createUser } = await start(async () => [RESERVED, 'Really.'])
  await createUser({ username: 'root' })
  const form = { ...signup('root'), email: 'no address' }
  expect(await request.post('registration/', form)).toMatchReply(400, {
    username: [TAKEN, RESERVED, 'Really.'],
    email: ['Enter a valid email address.'],
  })
})

test('a user cannot change to such a name, and keeps one that they have', async () => {
  const asked: RuledUser[] = []
  const { request, createUserWithToken, findUser } = await start((username, user) => {
    asked.push(user)
    return noRoot(username, user)
  })
  const token = await createUserWithToken('root')
  const { id: pk } = await findUser('root')
  const patch = (body: object) => request.patch('user/', body, { token })
  expect((await patch({ username: 'root', first_name: 'R' })).status).toBe(200)
  expect(asked).toEqual([])
  expect(await patch({ username: 'ROOT' })).toMatchReply(400, { username: [RESERVED] })
  expect(await patch({ username: 'root2' })).toMatchReply(400, { username: [RESERVED] })
  expect((await patch({ username: 'ada' })).status).toBe(200)
  const user = { pk, username: 'root', email: 'root@example.com', first_name: 'R', last_name: '' }
  expect(asked).toEqual([user, user, user])
})

test('a name that we make up does not break it either', async () => {
  const { request, clock, db } = await start(noRoot, { SIGNUP_FIELDS: ['email*', 'password1*'] })
  const { username: _, ...form } = signup('', 'root@example.com')
  expect(await request.post('registration/', form)).toMatchReply(201, KEY)
  const claims = { preferred_username: 'root', name: 'Grace Hopper' }
  const id_token = await idp.idToken(clock, claims)
  expect(await request.post('idp/', { id_token })).toMatchReply(200, KEY)
  const users = await db.selectFrom('users').select('username').orderBy('id').execute()
  expect(users.map(({ username }) => username)).toEqual(['user', 'Grace'])
})

test('a rule that fails refuses with 503, and changes nothing', async () => {
  const auth = await start(() => Promise.reject(new Error('the directory is down')))
  const post = () => auth.request.post('registration/', signup('ada'))
  expect(await writesNothing(auth, post)).toMatchReply(503, UNAVAILABLE)
})
