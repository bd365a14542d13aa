import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { KEY, NOT_PROVIDED, UNABLE } from '../support/answers.ts'
import { readAnswer, sendBytes } from '../support/socket.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

const { app, request, createUserWithToken } = await startAuth({}, { atTheEnd: afterAll })
const token = await createUserWithToken('ada')

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const LIMIT = 64 * 1024

const EMPTY_OBJECT = { password: ['This field is required.'] }
const TOO_LARGE = { detail: 'Request body is too large.' }
const PARSE_ERROR = { detail: expect.stringMatching(/^JSON parse error - ./) }

test.each([
  ['[]', 'list'],
  ['[{"username":"ada"}]', 'list'],
  ['"ada"', 'str'],
  ['7', 'int'],
  ['-0', 'int'],
  ['1.5', 'float'],
  ['1.0', 'float'],
  ['1E2', 'float'],
  ['true', 'bool'],
  ['null', 'NoneType'],
])('the body %s is no dictionary but a %s', async (body, got) => {
  const wanted = { non_field_errors: [`Invalid data. Expected a dictionary, but got ${got}.`] }
  expect(await request.post('login/', body, { type: JSON_TYPE })).toMatchReply(400, wanted)
  const options = { token, type: JSON_TYPE }
  expect(await request.patch('user/', body, options)).toMatchReply(400, wanted)
})

test.each([
  ['{bad'],
  ['{'],
  ['{"username":"ada","password":"hunter2"'],
  ['{"username":"ada","password":"hunter2",}'],
  ["{'username':'ada','password':'hunter2'}"],
  ['{"username":"ada","password":"hunter2"}}'],
  ['{"username":"ada" "password":"hunter2"}'],
  ['{"password":"hunter2\n"}'],
  ['{"password":"\\x68unter2"}'],
  ['{"password":NaN}'],
  ['{"password":-Infinity}'],
  ['{"password":0123}'],
  ['{"password":1.}'],
  ['{"password":.5}'],
  ['{"password":"hunter2"} // and more'],
  ['hunter2'],
  [' '],
  ['\0'],
  ['\uFEFF{"password":"hunter2"}'],
  ['[1,'],
])('the body %j is malformed, and is not repeated in the answer', async (body) => {
  const reply = await request.post('login/', body, { type: JSON_TYPE })
  expect(reply).toMatchReply(400, PARSE_ERROR)
  expect(JSON.stringify(reply.body)).not.toContain('unter2')
})

test.each([
  ['a lone byte', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['an overlong form', Buffer.from('7b22c0af223a317d', 'hex')],
  ['an encoded surrogate', Buffer.from('7b22eda080223a317d', 'hex')],
  ['UTF-16', Buffer.from('{"password":"x"}', 'utf16le')],
  ['compressed', gzipSync('{"username":"ada","password":"x"}')],
])('a body that is no UTF-8 is malformed: %s', async (_, body) => {
  const reply = await request.post('login/', body, { type: JSON_TYPE })
  expect(reply).toMatchReply(400, PARSE_ERROR)
})

test('a form that is no UTF-8 is malformed, too, and says so of a form', async () => {
  const body = Buffer.from('username=ada&password=\xff', 'latin1')
  const reply = await request.post('login/', body, { type: 'application/x-www-form-urlencoded' })
  expect(reply).toMatchReply(400, {
    detail: 'Form parse error - the body is not valid UTF-8',
  })
})

test('a compressed body is not inflated', async () => {
  const body = gzipSync(JSON.stringify({ username: 'ada', password: 'x'.repeat(10_000_000) }))
  const headers = { 'content-encoding': 'gzip' }
  const reply = await request.post('login/', body, { type: JSON_TYPE, headers })
  expect(reply).toMatchReply(400, PARSE_ERROR)
})

test.each([
  ['nested lists', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
  ['lists without an end', '['.repeat(60_000)],
  ['nested objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ['a nested field', `{"n":1,"password":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
])('%s, however deep, are refused', async (_, body) => {
  expect((await request.post('login/', body, { type: JSON_TYPE })).status).toBe(400)
})

test.each([
  ['no body and no type', undefined, undefined],
  ['no body of type JSON', undefined, JSON_TYPE],
  ['an empty JSON body', '', JSON_TYPE],
  ['an empty form', '', FORM],
  ['an empty multipart form', '', 'multipart/form-data'],
  ['an empty body in another charset', '', 'application/json; charset=iso-8859-1'],
  ['an empty text', '', 'text/plain; charset=iso-8859-1'],
  ['an empty object', '{}', JSON_TYPE],
])('%s is an empty object', async (_, body, type) => {
  const reply = await request.post('login/', body, type ? { type } : {})
  expect(reply).toMatchReply(400, EMPTY_OBJECT)
})

test.each([
  ['text/plain'],
  ['text/plain; charset=utf-8'],
  ['application/xml'],
  ['application/jsonp'],
  ['application/vnd.api+json'],
  ['application/json; charset=utf-7'],
  ['application/json; charset=utf-16'],
  ['x'],
])('the media type %s is not supported', async (type) => {
  const body = JSON.stringify({ username: 'ada', password: PASSWORD })
  const reply = await request.post('login/', body, { type })
  expect(reply).toMatchReply(415, { detail: `Unsupported media type "${type}" in request.` })
  expect(reply.cookies).toEqual([])
})

test('a body without a media type is not guessed at', async () => {
  const reply = await request.post('login/', '{"username":"ada","password":"x"}')
  expect(reply).toMatchReply(415, { detail: 'Unsupported media type "" in request.' })
})

test.each([
  ['application/JSON'],
  ['application/json;charset=utf-8'],
  ['application/json; charset="UTF-8"'],
  ['application/json; version=2'],
])('%s is JSON', async (type) => {
  const body = JSON.stringify({ username: 'ada', password: PASSWORD })
  expect(await request.post('login/', body, { type })).toMatchReply(200, KEY)
})

test('a body of 64 KiB is read, and one byte more is not', async () => {
  const fields = { username: 'ada', password: 'wrong', unknown: '' }
  const padding = 'x'.repeat(LIMIT - JSON.stringify(fields).length)
  const logIn = (unknown: string) => request.post('login/', { ...fields, unknown })
  expect(await logIn(padding)).toMatchReply(400, UNABLE)
  expect(await logIn(`${padding}x`)).toMatchReply(413, TOO_LARGE)
})

test.each([
  ['announced', `Content-Length: ${LIMIT + 1}\r\n\r\n{`],
  [
    'in chunks',
    `Transfer-Encoding: chunked\r\n\r\n${'1000\r\n'.concat('x'.repeat(4096), '\r\n').repeat(17)}`,
  ],
])('a larger body that is %s ends the connection, unread', async (_, rest) => {
  const head = 'POST /auth/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
  const answer = await sendBytes(app, `${head}${rest}`)
  expect(readAnswer(answer)).toEqual({ status: 413, body: TOO_LARGE })
  expect(answer).toMatch(/^connection: close\r$/im)
})

test('the credential is checked before the body', async () => {
  const reply = await request.patch('user/', '{bad', { type: JSON_TYPE })
  expect(reply).toMatchReply(401, NOT_PROVIDED)
})
