import { expect, test } from 'vitest'
import { createGuards } from '../../../src/library/guards.ts'
import { ACTOR } from '../../support/administration.ts'
import { INVALID_TOKEN } from '../../support/answers.ts'
import { NO_SCOPE, startKeys } from '../../support/api-keys.ts'
import { countRows } from '../../support/dump.ts'
import { callOne, EVERYTHING, SIGNED_IN } from '../../support/freshness.ts'
import { bearer } from '../../support/jwt.ts'
import { PASSWORD } from '../../support/start-auth.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const NEW_PASSWORD = 'another horse battery staple'
const PASSWORDS = { new_password1: NEW_PASSWORD, new_password2: NEW_PASSWORD }
const INTROSPECTION_KEY = 'a-key-for-the-shop-long-enough-to-be-one'

test('a key survives a new password and end-others, as programs would stop', async () => {
  const { make, use, ada } = await startKeys()
  const made = await make()
  expect((await ada.post('password/change/', PASSWORDS)).status).toBe(200)
  expect((await ada.post('sessions/end-others/')).status).toBe(200)
  expect((await use(made)).status).toBe(200)
})

test('a reset, LOGOUT_ON_PASSWORD_CHANGE and operators end all of them', async () => {
  const strict = { REST_AUTH: { LOGOUT_ON_PASSWORD_CHANGE: true } }
  const started = await startKeys(strict)
  const { make, use, ada, logIn, request, mail, administration, findUser, createUser } = started
  const first = await make()
  await createUser({ username: 'bob', email: 'bob@example.com', verified: true })
  const ofBob = await make({}, await logIn('bob'))
  expect((await ada.post('password/change/', PASSWORDS)).status).toBe(200)
  expect(await use(first)).toMatchReply(401, INVALID_TOKEN)

  const user = await findUser('ada')
  for (const end of [
    () => administration.setPassword(user, PASSWORD),
    () => administration.revoke(user),
    async () => {
      await request.post('password/reset/', { email: 'ada@example.com' })
      const letter = await mail.newest('reset-password', 'ada@example.com')
      const { uid, token } = letter.values
      const passwords = { new_password1: PASSWORD, new_password2: PASSWORD }
      const reply = await request.post('password/reset/confirm/', { uid, token, ...passwords })
      expect(reply.status).toBe(200)
    },
    async () => {
      await administration.deactivate(user)
      await administration.activate(user)
    },
  ]) {
    await administration.setPassword(user, PASSWORD)
    const made = await make({}, await logIn())
    expect((await use(made)).status).toBe(200)
    await end()
    expect(await use(made)).toMatchReply(401, INVALID_TOKEN)
  }
  expect((await use(ofBob)).status).toBe(200)
})

test('the key of somebody who is no longer active is refused', async () => {
  const { make, use, db } = await startKeys()
  const made = await make()
  // Everything that deactivates also deletes the keys.
  await db.updateTable('users').set({ is_active: 0 }).execute()
  expect(await use(made)).toMatchReply(401, { detail: 'User inactive or deleted.' })
})

test('keys are in the export, and are deleted with the account', async () => {
  const { make, use, ada, db } = await startKeys({ ACCOUNT: { DELETION: true } })
  const made = await make()
  const { key, ...shown } = made
  const { body } = await ada.get('account/export/')
  expect(body).toMatchObject({ api_keys: [shown] })
  expect(JSON.stringify(body)).not.toContain(key)
  expect((await ada.post('account/delete/', { password: PASSWORD })).status).toBe(200)
  expect(await use(made)).toMatchReply(401, INVALID_TOKEN)
  expect(await countRows(db, 'api_keys')).toBe(0)
})

test('a key that was made while the address was unproved ends when its owner proves it', async () => {
  const none = { ACCOUNT: { EMAIL_VERIFICATION: 'none', LOGIN_BY_CODE_ENABLED: true } } as const
  const { createUser, logIn, make, use, request, mail } = await startKeys(none)
  await createUser({ username: 'eve', email: 'owner@example.com' })
  const made = await make({}, await logIn('eve'))
  expect((await use(made)).status).toBe(200)
  const { body } = await request.post('login/code/', { email: 'owner@example.com' })
  const { session_id } = body as { session_id: string }
  const { code } = (await mail.newest('login-code', 'owner@example.com')).values
  expect((await request.post('login/code/confirm/', { session_id, code })).status).toBe(200)
  expect(await use(made)).toMatchReply(401, INVALID_TOKEN)
})

test('no endpoint accepts a key but user/, and none of them changes anything', async () => {
  const started = await startKeys(EVERYTHING)
  const { key } = await started.make({ scopes: ['user:read', 'orders:write'] })
  const before = await started.findUser('ada')
  const caller = {
    call: (method: Method, path: string, sent?: object) =>
      started.request.call(method, path, sent, { token: key }),
  }
  for (const endpoint of Object.keys(SIGNED_IN)) {
    const reply = await callOne(caller, endpoint)
    if (endpoint === 'GET user/') expect(reply.status).toBe(200)
    else expect([endpoint, reply.status, reply.body]).toEqual([endpoint, ...NO_SCOPE])
  }
  expect(await started.request.post('logout/', {}, { token: key })).toMatchReply(...NO_SCOPE)
  expect(await started.findUser('ada')).toEqual(before)
  expect((await started.use({ key })).status).toBe(200)
})

test('other services and hosts learn the scopes, and guards refuse what they do not know', async () => {
  const started = await startKeys({ INTROSPECTION_KEY })
  const { key } = await started.make({ scopes: ['orders:read'] })
  const asked = await started.request.post(
    'introspect/',
    { token: key },
    { headers: bearer(INTROSPECTION_KEY).headers },
  )
  const user = expect.objectContaining({ username: 'ada' })
  const active = { active: true, user, scopes: ['orders:read'], expires_at: null }
  expect(asked).toMatchReply(200, active)

  const guards = createGuards(started.auth)
  const headers = { authorization: `Token ${key}` }
  const request = () => new Request('http://app.example/', { headers })
  expect(await guards.identify(request())).toMatchObject({
    username: 'ada',
    login: { via: 'token', id: null, scopes: ['orders:read'], isFresh: false },
  })
  const scoped = { login: { scopes: ['orders:read'] } }
  expect(await guards.requireScope('orders:read')(request())).toMatchObject(scoped)
  for (const guard of [
    guards.requireUser,
    guards.requireFresh,
    guards.requireScope('orders:write'),
  ]) {
    await expect(guard(request())).rejects.toMatchObject({ status: 403 })
  }
  const { key: whole } = started.ada.reply.body as { key: string }
  const byLogin = new Request('http://app.example/', {
    headers: { authorization: `Token ${whole}` },
  })
  expect(await guards.requireScope('orders:write')(byLogin)).toMatchObject({
    login: { scopes: null },
  })
})

test('operators list and revoke the keys of a user, which leaves an audit row', async () => {
  const { make, use, findUser, auth } = await startKeys()
  const { key, ...shown } = await make()
  const { id: pk } = await findUser('ada')
  const { operations, audit } = auth.services
  expect(await operations.call(ACTOR, 'users.apiKeys', { pk: String(pk) })).toEqual({
    results: [shown],
    next: null,
  })
  const id = String(shown.id)
  await operations.call(ACTOR, 'users.revokeApiKey', { pk: String(pk), id })
  expect(await use({ key })).toMatchReply(401, INVALID_TOKEN)
  expect(await audit.newestOfUser(pk, 1)).toMatchObject([
    { event: 'api_key_revoked', operator_name: 'grace' },
  ])
  const again = operations.call(ACTOR, 'users.revokeApiKey', { pk: String(pk), id })
  await expect(again).rejects.toMatchObject({ message: 'not_found' })
})
