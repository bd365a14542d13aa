import { expect, test } from 'vitest'
import { badBearer, claimsFor, forge, notValid, startJwt } from '../../support/jwt.ts'

type Started = Awaited<ReturnType<typeof startJwt>>

const ENDED = badBearer('Token is invalid')

const revocations: Record<string, (started: Started) => Promise<unknown>> = {
  'a new password': ({ administration, ada }) =>
    administration.setPassword(ada, 'the new password'),
  'an operator who revokes': ({ administration, ada }) => administration.revoke(ada),
}

test.each(Object.keys(revocations))('%s ends every token of the user at once', async (name) => {
  const started = await startJwt()
  const { logIn, getUser, refresh, request, createUser } = started
  const [one, two] = [await logIn(), await logIn()]
  await createUser({ username: 'bob' })
  const bob = await logIn('bob')

  await revocations[name]?.(started)
  for (const pair of [one, two]) {
    expect(await getUser(pair.access)).toMatchReply(...ENDED)
    expect(await refresh(pair.refresh)).toMatchReply(...notValid('Token is blacklisted'))
    const verified = await request.post('token/verify/', { token: pair.refresh })
    expect(verified).toMatchReply(...notValid('Token is blacklisted'))
  }
  expect((await getUser(bob.access)).status).toBe(200)
})

test('a login in the very moment of the revocation is not hit by it', async () => {
  const { logIn, getUser, administration, ada } = await startJwt()
  await administration.revoke(ada)
  const { access } = await logIn()
  expect((await getUser(access)).status).toBe(200)
})

test('an inactive user gets the reason, and old tokens do not work later', async () => {
  const { logIn, getUser, administration, ada } = await startJwt()
  const { access } = await logIn()
  await administration.deactivate(ada)
  const inactive = { detail: 'User is inactive', code: 'user_inactive' }
  expect(await getUser(access)).toMatchReply(401, inactive)
  await administration.activate(ada)
  expect(await getUser(access)).toMatchReply(...ENDED)
})

test('a deleted user is not found', async () => {
  const { logIn, getUser, administration, ada } = await startJwt()
  const { access } = await logIn()
  await administration.remove(ada)
  expect(await getUser(access)).toMatchReply(401, {
    detail: 'User not found',
    code: 'user_not_found',
  })
})

test('a token made elsewhere is void when it is older than the last revocation', async () => {
  const started = await startJwt()
  const { getUser, refresh, administration, ada, clock } = started
  const make = (changes = {}) => forge(claimsFor(started, ada.id, changes))
  const [access, ageless] = [make(), make({ iat: undefined })]
  const refreshToken = make({ token_type: 'refresh' })
  for (const token of [access, ageless]) expect((await getUser(token)).status).toBe(200)

  clock.advance(1500)
  await administration.revoke(ada)
  clock.advance(1500)
  for (const token of [access, ageless]) expect(await getUser(token)).toMatchReply(...ENDED)
  expect(await refresh(refreshToken)).toMatchReply(...notValid('Token is blacklisted'))
  expect((await getUser(make())).status).toBe(200)
})

test('a clock that is behind takes no revocation back', async () => {
  const started = await startJwt()
  const { getUser, administration, ada, clock } = started
  const token = forge(claimsFor(started, ada.id))
  await administration.revoke(ada)
  clock.advance(-3000)
  await administration.revoke(ada)
  clock.advance(3000)
  expect(await getUser(token)).toMatchReply(...ENDED)
})

test('a token made elsewhere in the very moment of the revocation is void', async () => {
  const started = await startJwt()
  const { getUser, administration, ada } = started
  const token = forge(claimsFor(started, ada.id))
  await administration.revoke(ada)
  expect(await getUser(token)).toMatchReply(...ENDED)
})

test('a login of somebody else does not make a token good', async () => {
  const started = await startJwt()
  const { getUser, logIn, createUser, ada, db } = started
  await createUser({ username: 'bob' })
  await logIn('bob')
  const login = await db.selectFrom('logins').select('id').executeTakeFirstOrThrow()
  const token = forge(claimsFor(started, ada.id, { sid: String(login.id) }))
  expect(await getUser(token)).toMatchReply(...ENDED)
})
