import { afterAll, expect, test } from 'vitest'
import { parseMultipart } from '../../src/http/multipart.ts'
import { KEY } from '../support/answers.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

const { request, createUser } = await startAuth({}, { atTheEnd: afterAll })
await createUser({ username: 'ada' })

const TYPE = 'multipart/form-data; boundary=edge'
const MALFORMED = {
  detail: 'Multipart form parse error - the body is not a valid multipart form',
}

const send = (body: string | Buffer, type = TYPE) => request.post('login/', body, { type })

const part = (head: string, value: string) => `--edge\r\n${head}\r\n\r\n${value}\r\n`

const named = (name: string) => `Content-Disposition: form-data; name="${name}"`

/** A form that logs in. */
const login = (head: (name: string) => string = named) =>
  `${part(head('username'), 'ada')}${part(head('password'), PASSWORD)}--edge--\r\n`

test.each([
  ['browsers', named],
  [
    '.NET',
    (name: string) =>
      `Content-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name=${name}`,
  ],
  [
    'Dart',
    (name: string) =>
      `content-disposition: form-data; name="${name}"\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-transfer-encoding: binary`,
  ],
  [
    'Apache',
    (name: string) =>
      `${named(name)}\r\nContent-Type: text/plain; charset=ISO-8859-1\r\nContent-Transfer-Encoding: 8bit`,
  ],
  ['OkHttp', (name: string) => `${named(name)}\r\nContent-Length: 3`],
  ['clients that send no blanks', (name: string) => `Content-Disposition:form-data;name="${name}"`],
  [
    'clients that send many blanks',
    (name: string) => `Content-Disposition :\t form-data ;  name = "${name}" ; `,
  ],
  [
    'clients that write other letters',
    (name: string) => `CONTENT-DISPOSITION: Form-Data; Name="${name}"`,
  ],
])('the multipart form of %s is read', async (_, head) => {
  expect(await send(login(head))).toMatchReply(200, KEY)
})

test.each([
  ['text before it', `text\r\n${login()}`],
  ['a line break before it', `\r\n${login()}`],
  ['text after it', `${login()}text\r\n--edge\r\n`],
  ['no last line break', login().slice(0, -2)],
  ['blanks after the boundary', login().replaceAll('--edge\r\n', '--edge \t\r\n')],
])('a multipart form with %s is read', async (_, body) => {
  expect(await send(body)).toMatchReply(200, KEY)
})

test.each([
  ['edge', '"edge"'],
  ['----=_Part_0_12.34', '----=_Part_0_12.34'],
  ["a b'()+_,-./:=?;z", `"a b'()+_,-./:=?;z"; charset=utf-8`],
  ['x'.repeat(200), 'x'.repeat(200)],
])('its boundary can be %j', async (boundary, spelled) => {
  const body = login().replaceAll('--edge', `--${boundary}`)
  expect(await send(body, `multipart/form-data; Boundary=${spelled}`)).toMatchReply(200, KEY)
})

const read = (body: string) => parseMultipart(Buffer.from(body), TYPE)

test.each([
  ['"a%22b%0D%0Ac%20"', 'a"b\r\nc%20'],
  [String.raw`"a\"b\\c;d"`, String.raw`a"b\c;d`],
  ['"zoë"', 'zoë'],
  ['zoà', 'zoà'],
  ['""', ''],
  ['"__proto__"', '__proto__'],
])('the name %s is %j', (spelled, name) => {
  const body = `${part(`Content-Disposition: form-data; name=${spelled}`, 'x')}--edge--`
  expect(Object.entries(read(body))).toEqual([[name, 'x']])
})

test.each([[''], ['Zoë'], ['a\r\n\r\nb\r\n--\r\n']])('the value %j is taken as it is', (value) => {
  expect(read(`${part(named('a'), value)}--edge--`)).toEqual({ a: value })
})

test('a value can be encoded', () => {
  const head = `${named('a')}\r\nContent-Transfer-Encoding: Base64`
  expect(read(`${part(head, 'Wm/Dqw==')}--edge--`)).toEqual({ a: 'Zoë' })
})

test.each([['filename="a"'], ['filename=""'], ["FileName*=utf-8''a"]])(
  'a part with %s is a file, which no text field accepts, whatever its bytes',
  async (filename) => {
    const file = part(`${named('username')}; ${filename}`, '\xff')
    const body = Buffer.from(`${file}${part(named('password'), 'x')}--edge--`, 'latin1')
    expect(await send(body)).toMatchReply(400, { username: ['Not a valid string.'] })
  },
)

test('a multipart form has at most 100 files', async () => {
  const sendFiles = (count: number) =>
    send(`${part(`${named('x')}; filename=""`, '').repeat(count)}--edge--`)
  expect(await sendFiles(100)).toMatchReply(400, { password: ['This field is required.'] })
  const detail = 'Multipart form parse error - the body has too many files'
  expect(await sendFiles(101)).toMatchReply(400, { detail })
})

test.each([
  ['value', part(named('username'), '\xff')],
  ['name', part(named('\xff'), 'ada')],
])('a %s that is no UTF-8 is malformed', async (_, first) => {
  const detail = 'Multipart form parse error - the body is not valid UTF-8'
  expect(await send(Buffer.from(`${first}--edge--`, 'latin1'))).toMatchReply(400, { detail })
})

test.each([
  ['no boundary', 'multipart/form-data', login()],
  ['an empty one', 'multipart/form-data; boundary=""', login()],
  ['one that is too long', `multipart/form-data; boundary=${'x'.repeat(201)}`, login()],
  ['another one', 'multipart/form-data; boundary=c', login()],
  ['no end', TYPE, login().slice(0, -4)],
  ['bare line feeds', TYPE, login().replaceAll('\r\n', '\n')],
  ['text after a boundary', TYPE, login().replace('--edge', '--edges')],
  ['a part without a name', TYPE, `${part('Content-Disposition: form-data', 'x')}${login()}`],
  ['a part without a head', TYPE, `--edge\r\n\r\nx\r\n${login()}`],
  ['a part without a value', TYPE, `--edge\r\n${named('x')}\r\n${login()}`],
  ['an empty part', TYPE, `--edge\r\n${login()}`],
])('a multipart form with %s is malformed', async (_, type, body) => {
  const reply = await send(body, type)
  expect(reply).toMatchReply(400, MALFORMED)
  expect(reply.cookies).toEqual([])
})

const many = (text: string) => text.repeat(60_000 / text.length)
const disposed = (parameters: string) => `${part(`Content-Disposition:${parameters}`, '')}--edge--`

/** With a parser that takes quadratic time, the test would time out. */
async function expectRefusals(body: string, type = TYPE) {
  for (let time = 0; time < 10; time++) expect((await send(body, type)).status).toBe(400)
}

test.each([
  ['boundaries', `${many('--edge\r\n')}--edge--`],
  ['ends', many('--edge--')],
  ['line breaks', many('\r\n')],
  ['blanks after a boundary', `--edge${many(' ')}x${login()}`],
  ['headers', `${part(many('a:\r\n'), '')}--edge--`],
  ['blanks', disposed(many('\t'))],
  ['parameters', disposed(many(';n='))],
  ['quotes', disposed(many(';n="'))],
  ['escapes', disposed(`;n="${many('\\"')}`)],
  ['escaped characters', disposed(`;name="${many('%22')}"`)],
  ['parts', `${many(part(named('a'), ''))}--edge--`],
])('a multipart form of many %s takes no longer than others', (_, body) => expectRefusals(body))

test('nor does one in which the boundary nearly occurs everywhere', async () => {
  const boundary = 'x'.repeat(200)
  const body = many(`\r\n--${boundary.slice(1)}`)
  await expectRefusals(body, `multipart/form-data; boundary=${boundary}`)
})
