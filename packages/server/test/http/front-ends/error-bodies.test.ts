import { afterAll, expect, test } from 'vitest'
import { readAnswer, sendBytes } from '../../support/socket.ts'
import { startAuth } from '../../support/start-auth.ts'

const REFUSED = 'Unable to log in with provided credentials.'
const NOT_FOUND = { detail: 'Not found.' }
const WRONG = { username: 'ada', password: 'wrong' }

const wrapped = await startAuth(
  {
    REST_FRAMEWORK: {
      NON_FIELD_ERRORS_KEY: 'general',
      ERRORS_UNDER: 'errors',
      DEFAULT_THROTTLE_RATES: { auth_service: '100/m' },
    },
  },
  { atTheEnd: afterAll },
)

test('errors that are tied to no field have the key of the deployment', async () => {
  const { request } = await startAuth({ REST_FRAMEWORK: { NON_FIELD_ERRORS_KEY: '__all__' } })
  expect(await request.post('login/', WRONG)).toMatchReply(400, { __all__: [REFUSED] })
  expect(await request.post('login/', [])).toMatchReply(400, {
    __all__: ['Invalid data. Expected a dictionary, but got list.'],
  })
  expect(await request.post('login/', {})).toMatchReply(400, {
    password: ['This field is required.'],
  })
  expect(await request.get('nothing/')).toMatchReply(404, NOT_FOUND)
})

test('every body of 4xx may stand under a key', async () => {
  const { request } = wrapped
  const nobody = { detail: 'Authentication credentials were not provided.' }
  const foreign = 'Origin checking failed - null does not match any trusted origins.'
  const answers = [
    [await request.post('login/', WRONG), 400, { general: [REFUSED] }],
    [await request.post('login/', {}), 400, { password: ['This field is required.'] }],
    [await request.get('user/'), 401, nobody],
    [
      await request.post('login/', {}, { headers: { origin: 'null' } }),
      403,
      { detail: `CSRF Failed: ${foreign}` },
    ],
    [await request.get('nothing/'), 404, NOT_FOUND],
    [await request.get('/nothing/'), 404, NOT_FOUND],
    [await request.get('/auth/%E0%A4%A'), 404, NOT_FOUND],
    [await request.get('login/'), 405, { detail: 'Method "GET" not allowed.' }],
    [await request.call('POST', '/healthz'), 405, { detail: 'Method "POST" not allowed.' }],
    [
      await request.post('login/', 'x'.repeat(70_000), { type: 'application/json' }),
      413,
      { detail: 'Request body is too large.' },
    ],
    [
      await request.post('login/', 'x', { type: 'text/plain' }),
      415,
      { detail: 'Unsupported media type "text/plain" in request.' },
    ],
  ] as const
  for (const [reply, status, errors] of answers) expect(reply).toMatchReply(status, { errors })
})

test('so may that of what is no request, and of too many', async () => {
  const answer = await sendBytes(wrapped.app, 'HELLO /auth/ HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect(readAnswer(answer)).toMatchObject({
    status: 400,
    body: { errors: { detail: expect.any(String) } },
  })
  const { request } = await startAuth({
    REST_FRAMEWORK: { ERRORS_UNDER: 'errors', DEFAULT_THROTTLE_RATES: { auth_service: '1/m' } },
  })
  await request.post('login/', {})
  expect(await request.post('login/', {})).toMatchReply(429, {
    errors: { detail: 'Request was throttled. Expected available in 60 seconds.' },
  })
})

test('answers of 5xx and good answers stay unchanged', async () => {
  const started = await startAuth({ REST_FRAMEWORK: { ERRORS_UNDER: 'errors' } })
  expect(await started.request.get('/healthz')).toMatchReply(200, { status: 'ok' })
  await started.auth.close()
  const reply = await started.request.post('login/', WRONG)
  expect(reply.status).toBeGreaterThanOrEqual(500)
  expect(reply.body).toEqual({ detail: expect.any(String) })
})

test('the OpenAPI document follows', async () => {
  const document = JSON.stringify((await wrapped.request.get('openapi.json')).body)
  expect(document).toContain(`{"value":{"errors":{"general":["${REFUSED}"]}}}`)
  expect(document).not.toContain('non_field_errors')
  expect(document).not.toContain('{"value":{"detail":"Not found."}}')
  expect(document).toContain('{"value":{"detail":"Internal server error."}}')
})

test.each([
  ['NON_FIELD_ERRORS_KEY', 'two words'],
  ['NON_FIELD_ERRORS_KEY', ''],
  ['NON_FIELD_ERRORS_KEY', 'codes'],
  ['ERRORS_UNDER', 'a.b'],
  ['ERRORS_UNDER', 7],
])('%s of %j stops the start', async (name, value) => {
  const settings = { REST_FRAMEWORK: { [name]: value } }
  await expect(startAuth(settings)).rejects.toThrow(`REST_FRAMEWORK.${name}`)
})
