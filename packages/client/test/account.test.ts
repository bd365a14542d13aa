import { expect, test } from 'vitest'
import { ADA, JWT, startService } from './support/start-service.ts'

test('devices are listed and ended', async () => {
  const { newClient } = await startService(JWT)
  const { client } = newClient({ mode: 'jwt' })
  const other = newClient({ mode: 'jwt' })
  await other.client.login(ADA)
  await client.login(ADA)
  const [current, before, ...more] = await client.sessions.list()
  expect(more).toEqual([])
  expect(current).toMatchObject({ method: 'password', current: true })
  expect(before).toMatchObject({ method: 'password', current: false })

  await client.sessions.end(before?.id ?? '')
  await expect(other.client.user.get()).rejects.toMatchObject({ status: 401 })
  expect(other.client.state.status).toBe('signed-out')
  expect(await client.user.get()).toMatchObject({ username: 'ada' })
})

test('to end the others replaces the key, and the client goes on with the new one', async () => {
  const { newClient } = await startService()
  const { client } = newClient({ mode: 'token' })
  const other = newClient({ mode: 'token' })
  await client.login(ADA)
  await other.client.login(ADA)
  const before = await client.authorization()
  const { key } = await client.sessions.endOthers()
  expect(await client.authorization()).toBe(`Token ${key}`)
  expect(before).not.toBe(`Token ${key}`)
  expect(await client.user.get()).toMatchObject({ username: 'ada' })
  await expect(other.client.user.get()).rejects.toMatchObject({ status: 401 })
})

test.each([
  ['token', {}],
  ['jwt', JWT],
] as const)('%s: a key for a program is handed over, and the login stays', async (mode, input) => {
  const { newClient } = await startService({ ...input, API_KEYS: true })
  const { client } = newClient({ mode })
  await client.login(ADA)
  const before = await client.authorization()
  const { id, key } = await client.apiKeys.create({ name: 'backup', scopes: ['user:read'] })
  expect(key).toMatch(/^lk_/)
  expect(await client.authorization()).toBe(before)
  expect(await client.apiKeys.list()).toMatchObject([{ id, name: 'backup' }])
})

test('a grave step asks again, and goes on once that was answered', async () => {
  const { newClient, clock } = await startService({
    REST_AUTH: { USE_JWT: true },
    SIMPLE_JWT: { ACCESS_TOKEN_LIFETIME: '1h' },
    ACCOUNT: { REAUTHENTICATION_REQUIRED: true },
  })
  const { client } = newClient({ mode: 'jwt' })
  await client.login(ADA)
  clock.advance(10 * 60_000)
  const stale = { status: 403, code: 'reauthentication_required' }
  await expect(client.sessions.endOthers()).rejects.toMatchObject(stale)
  await expect(client.reauthenticate({ password: 'wrong' })).rejects.toMatchObject({ status: 400 })
  await client.reauthenticate({ password: ADA.password })
  await client.sessions.endOthers()
})

test('an address is changed by the link in the mail', async () => {
  const { newClient, mail } = await startService(JWT)
  const { client } = newClient({ mode: 'jwt' })
  await client.login(ADA)
  await client.email.change({ email: 'lovelace@example.com', password: ADA.password })
  expect(await client.email.get()).toMatchObject({ pending: 'lovelace@example.com' })

  const { values } = await mail.newest('change-email', 'lovelace@example.com')
  const [, key = ''] = /\/([^/]+)\/?$/.exec(values.link ?? '') ?? []
  await newClient({ mode: 'jwt' }).client.email.confirmChange({ key })
  const address = { email: 'lovelace@example.com', verified: true, pending: null }
  expect(await client.email.get()).toEqual(address)
  await client.email.cancelChange()
})

test('a code in a mail logs in', async () => {
  const { newClient, mail } = await startService({
    ...JWT,
    ACCOUNT: { LOGIN_BY_CODE_ENABLED: true },
  })
  const { client } = newClient({ mode: 'jwt' })
  const { session_id } = await client.loginByCode.begin({ username: 'ada' })
  expect(client.state.status).toBe('unknown')
  const { values } = await mail.newest('login-code', 'ada@example.com')
  const answer = await client.loginByCode.confirm({ session_id, code: values.code ?? '' })
  expect(answer.user).toMatchObject({ username: 'ada' })
  expect(client.state).toMatchObject({ status: 'signed-in', user: { username: 'ada' } })
})

test('an account is exported and deleted, and its login ends here', async () => {
  const { newClient } = await startService({ ...JWT, ACCOUNT: { DELETION: true } })
  const { client } = newClient({ mode: 'jwt' })
  const ends: string[] = []
  client.onSignedOut((reason) => ends.push(reason))
  await client.login(ADA)
  expect(JSON.stringify(await client.account.export())).toContain('ada@example.com')

  const wrong = client.account.delete({ password: 'wrong' })
  await expect(wrong).rejects.toMatchObject({ fields: { password: ['Invalid password.'] } })
  expect(ends).toEqual([])
  await client.account.delete({ password: ADA.password })
  expect(ends).toEqual(['logout'])
  expect(client.state).toMatchObject({ status: 'signed-out', user: undefined })
  expect(await client.authorization()).toBeUndefined()
})
