import { expect, test } from 'vitest'
import { requestReset, STRONG, twice } from '../support/accounts.ts'
import { bearer, claimsFor, decode, forge, notValid, ROTATING, startJwt } from '../support/jwt.ts'
import { startAuth } from '../support/start-auth.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const UUIDS = { USER_PK: 'uuid' } as const

test('a user is known by a UUID: to themselves, in tokens and at each refresh', async () => {
  const { logIn, refresh, getUser } = await startJwt({ ...UUIDS, SIMPLE_JWT: ROTATING })
  const { access, refresh: first } = await logIn()
  const { pk } = (await getUser(access)).body as { pk: string }
  expect(pk).toMatch(UUID)
  expect(decode(access).claims.user_id).toBe(pk)

  const renewed = (await refresh(first)).body as { access: string; refresh: string }
  expect(decode(renewed.access).claims.user_id).toBe(pk)
  expect(await getUser(renewed.access)).toMatchReply(200, expect.objectContaining({ pk }))

  expect(await refresh(first)).toMatchReply(...notValid('Token is blacklisted'))
  expect((await getUser(renewed.access)).status).toBe(401)
})

test('each login is that of its own user, and ends alone', async () => {
  const { logIn, getUser, request, createUser } = await startJwt(UUIDS)
  await createUser({ username: 'bob' })
  const [first, second, bob] = [await logIn(), await logIn(), await logIn('bob')]
  await request.post('logout/', { refresh: first.refresh })
  expect((await getUser(first.access)).status).toBe(401)
  expect((await getUser(second.access)).body).toMatchObject({ username: 'ada' })
  expect((await getUser(bob.access)).body).toMatchObject({ username: 'bob' })
})

test('a login of somebody else makes no token good', async () => {
  const started = await startJwt(UUIDS)
  const { createUser, logIn, getUser, ada } = started
  await createUser({ username: 'bob' })
  const { sid } = decode((await logIn('bob')).access).claims
  expect((await getUser(forge(claimsFor(started, ada.uuid, { sid })))).status).toBe(401)
})

test('a token of another service names the user by the UUID, never by the integer key', async () => {
  const started = await startJwt(UUIDS)
  const { ada, getUser } = started
  const madeFor = (pk: unknown) => getUser(forge(claimsFor(started, pk)))
  expect((await madeFor(ada.uuid)).status).toBe(200)
  for (const pk of [ada.id, String(ada.id), '00000000-0000-4000-8000-000000000000']) {
    expect(await madeFor(pk)).toMatchReply(401, {
      detail: 'User not found',
      code: 'user_not_found',
    })
  }
})

test('a token with a UUID signs nobody in where users have numbers', async () => {
  const started = await startJwt()
  const token = forge(claimsFor(started, '00000000-0000-4000-8000-000000000001'))
  expect((await started.getUser(token)).status).toBe(401)
})

test('a reset link holds the UUID, and the integer key is no uid', async () => {
  const started = await startAuth(UUIDS)
  const ada = await started.createUser({ username: 'ada', email: 'ada@example.com' })
  const { uid, token } = await requestReset(started, ada.email)
  expect(uid).toBe(ada.uuid?.replaceAll('-', ''))

  const confirm = (body: object) =>
    started.request.post('password/reset/confirm/', { ...body, token, ...twice(STRONG) })
  const refused = { uid: ['Invalid value'] }
  expect(await confirm({ uid: ada.id.toString(36) })).toMatchReply(400, refused)
  expect((await confirm({ uid })).status).toBe(200)
})

test('a new user gets a UUID of their own', async () => {
  const { request, db } = await startJwt(UUIDS)
  const register = (username: string) =>
    request.post('registration/', {
      username,
      email: `${username}@example.com`,
      password1: STRONG,
      password2: STRONG,
    })
  const { access } = (await register('bob')).body as { access: string }
  expect(decode(access).claims.user_id).toMatch(UUID)
  expect((await request.get('user/', bearer(access))).status).toBe(200)
  await register('carol')
  const uuids = (await db.selectFrom('users').select('uuid').execute()).map(({ uuid }) => uuid)
  expect(new Set(uuids).size).toBe(3)
})

test('an operator names a user by the UUID', async () => {
  const { findUser, createUser } = await startAuth(UUIDS)
  const { uuid } = await createUser({ username: 'ada' })
  expect((await findUser(uuid ?? '')).username).toBe('ada')
  await expect(findUser('1')).rejects.toThrow('There is no user 1.')
})

test('the kind of pk is chosen before the first user', async () => {
  const { createUser, settings, clock } = await startAuth({}, { shared: true })
  const beside = { settings, clock }
  await startAuth(UUIDS, { beside })
  await createUser({ username: 'ada' })
  await expect(startAuth(UUIDS, { beside })).rejects.toThrow(
    'USER_PK: got "uuid", but the users in the database have numbers; set it to "integer"',
  )
})
