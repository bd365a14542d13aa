import { expect, test } from 'vitest'
import { signup } from '../support/accounts.ts'
import { startHostileProvider } from '../support/hostile-provider.ts'
import { startAuth } from '../support/start-auth.ts'

const ON = { ACCOUNT: { USERNAME_SKELETONS: true } }
const TAKEN = { username: ['A user with that username already exists.'] }
/** With a Cyrillic `а`. */
const CYRILLIC = 'аdmin'

test('a name that looks like another is refused at registration, and taken where looks do not count', async () => {
  const { request, createUser } = await startAuth(ON)
  await createUser({ username: 'Admin' })
  const form = (name: string) => signup(name, 'eve@example.com')
  for (const name of [CYRILLIC, 'admın', 'adrnin', 'ADM1N']) {
    expect(await request.post('registration/', form(name))).toMatchReply(400, TAKEN)
  }
  expect((await request.post('registration/', form('eve'))).status).toBe(201)

  const lax = await startAuth()
  await lax.createUser({ username: 'admin' })
  expect((await lax.request.post('registration/', form(CYRILLIC))).status).toBe(201)
})

test('nor can somebody change to it; their own name they may write otherwise', async () => {
  const { request, createUser, createUserWithToken } = await startAuth(ON)
  await createUser({ username: 'admin' })
  const token = await createUserWithToken('eve')
  const rename = (username: string) => request.patch('user/', { username }, { token })
  expect(await rename(CYRILLIC)).toMatchReply(400, TAKEN)
  for (const name of ['eve', 'EVE', 'еve']) expect((await rename(name)).status).toBe(200)
  expect((await rename('mallory')).status).toBe(200)
  expect((await request.post('registration/', signup('eve', 'e@example.com'))).status).toBe(201)
})

test('a social sign-up gets another name', async () => {
  const idp = await startHostileProvider()
  const { request, createUser, clock, db } = await startAuth({ ...idp.settings(), ...ON })
  await createUser({ username: 'admin' })
  const id_token = await idp.idToken(clock, { preferred_username: CYRILLIC })
  expect((await request.post('idp/', { id_token })).status).toBe(200)
  const users = await db.selectFrom('users').select('username').orderBy('id').execute()
  expect(users[1]?.username).toMatch(/^аdmin\d+$/)
})

test('of parallel registrations of names that look alike exactly one succeeds', async () => {
  const { request } = await startAuth(ON)
  const names = ['admin', CYRILLIC, 'admın', 'adrnin', 'ADM1N', 'Αdmin']
  const replies = await Promise.all(
    names.map((name, i) => request.post('registration/', signup(name, `u${i}@example.com`))),
  )
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  for (const reply of replies.filter(({ status }) => status !== 201)) {
    expect(reply).toMatchReply(400, TAKEN)
  }
})

test('switched on later, it covers those who were there: the oldest holds the looks', async () => {
  const before = await startAuth({}, { shared: true })
  await before.createUser({ username: 'admin' })
  const eve = await before.createUserWithToken(CYRILLIC)
  for (let i = 0; i < 3; i++) await before.createUser({ username: `user-${i}` })

  const after = await startAuth(ON, { beside: before })
  const skeletons = await after.db.selectFrom('users').selectAll().orderBy('id').execute()
  expect(skeletons.map((user) => user.username_skeleton === null)).toEqual([
    false,
    true,
    false,
    false,
    false,
  ])
  const form = signup('user-O', 'o@example.com')
  expect(await after.request.post('registration/', form)).toMatchReply(400, TAKEN)
  // Users who already have such a name keep it.
  const same = { username: CYRILLIC, first_name: 'Eve' }
  expect((await after.request.patch('user/', same, { token: eve })).status).toBe(200)
  // A second start has nothing left to do, and does not fail.
  await after.auth.migrate()
})
