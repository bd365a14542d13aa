import { expect, test } from 'vitest'
import { sendJson, startLoopbackServer } from '../../server/test/support/loopback-server.ts'
import { AuthError, createClient } from '../src/index.ts'
import { ADA, startService } from './support/start-service.ts'

/** What a call is refused with. */
async function refusalOf(call: Promise<unknown>): Promise<AuthError> {
  const error = await call.then(
    () => undefined,
    (reason) => reason,
  )
  if (!(error instanceof AuthError)) throw error ?? new Error('It was not refused.')
  return error
}

test('fields, all at once', async () => {
  const { newClient } = await startService()
  const { client } = newClient({ mode: 'token' })
  const error = await refusalOf(
    client.register({ username: 'ada', email: 'nobody', password1: '1', password2: '1' }),
  )
  expect(error).toMatchObject({ name: 'AuthError', status: 400, nonField: [], detail: undefined })
  expect(Object.keys(error.fields).sort()).toEqual(['email', 'password1', 'username'])
  expect(error.fields.email).toEqual(['Enter a valid email address.'])
  expect(error.message).toBe(Object.values(error.fields)[0]?.[0])
})

test('what belongs to no field', async () => {
  const { newClient } = await startService()
  const { client } = newClient({ mode: 'token' })
  const error = await refusalOf(client.login({ ...ADA, password: 'wrong' }))
  const text = 'Unable to log in with provided credentials.'
  expect(error).toMatchObject({ status: 400, fields: {}, nonField: [text], message: text })
})

test('a field that is called like a code', async () => {
  const { newClient } = await startService()
  const { client } = newClient({ mode: 'token' })
  const error = await refusalOf(client.mfa.verify({ ephemeral_token: 'x'.repeat(43), code: '' }))
  expect(error).toMatchObject({ code: undefined, fields: { code: [expect.any(String)] } })
})

test('a deployment that names its errors otherwise', async () => {
  const { newClient } = await startService({
    REST_FRAMEWORK: { NON_FIELD_ERRORS_KEY: 'general', ERRORS_UNDER: 'errors' },
  })
  const { client } = newClient({
    mode: 'token',
    nonFieldErrorsKey: 'general',
    errorsUnder: 'errors',
  })
  const error = await refusalOf(client.login({ ...ADA, password: 'wrong' }))
  expect(error).toMatchObject({ fields: {}, nonField: [expect.stringContaining('Unable')] })
})

test('when to come again', async () => {
  const { newClient } = await startService({
    REST_FRAMEWORK: { DEFAULT_THROTTLE_RATES: { auth_service: '1/m' } },
  })
  const { client } = newClient({ mode: 'token' })
  await client.login(ADA)
  const error = await refusalOf(client.password.reset({ email: 'ada@example.com' }))
  expect(error).toMatchObject({ status: 429, retryAfter: 60 })
  expect(error.detail).toContain('throttled')
})

test('no answer, an answer of somebody else, and none in time', async () => {
  const server = await startLoopbackServer(({ path }, response) => {
    if (path === '/html/csrf') response.end('<h1>Hello</h1>')
    if (path === '/html/user/') response.writeHead(502).end('<h1>Bad gateway</h1>')
    if (path === '/odd/user/') sendJson(response, ['not', { an: 'object' }], 400)
  })
  const at = (folder: string) => createClient({ mode: 'token', url: `${server.url}/${folder}` })

  expect(await refusalOf(at('html').user.get())).toMatchObject({ status: 502, code: 'not_json' })
  expect(await refusalOf(at('odd').user.get())).toMatchObject({ status: 400, message: 'HTTP 400' })
  const late = at('never').user.get({ timeout: 1 })
  expect(await refusalOf(late)).toMatchObject({ status: 0, code: 'timeout' })
  await server.close()
  const error = await refusalOf(at('gone').user.get())
  expect(error).toMatchObject({ status: 0, code: 'network', message: 'network' })
  expect(error.cause).toBeInstanceOf(TypeError)
})

test('a time that is too long for a timer is no short one', async () => {
  const { newClient } = await startService()
  for (const timeout of [2 ** 31, Number.POSITIVE_INFINITY]) {
    await newClient({ mode: 'token', timeout }).client.login(ADA)
  }
})

test('whoever aborts a call gets the reason back', async () => {
  const { newClient } = await startService()
  const { client, sent } = newClient({ mode: 'token' })
  await expect(client.user.get({ signal: AbortSignal.abort() })).rejects.toThrow(DOMException)
  expect(sent).toEqual([])
  const controller = new AbortController()
  const call = client.login(ADA, { signal: controller.signal })
  controller.abort(new Error('changed my mind'))
  await expect(call).rejects.toThrow('changed my mind')
  expect(client.state.status).not.toBe('signed-in')
})

test('nothing but a segment fits into a path', async () => {
  const { newClient } = await startService()
  const { client, sent } = newClient({ mode: 'token' })
  for (const part of ['', '.', '..']) {
    await expect(client.passkeys.get(part)).rejects.toThrow(TypeError)
  }
  expect(await refusalOf(client.passkeys.get('../user'))).toMatchObject({ status: 401 })
  expect(sent).toEqual(['GET passkeys/..%2Fuser/'])
})
