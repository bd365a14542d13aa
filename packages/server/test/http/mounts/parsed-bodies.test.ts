import express, { type RequestHandler } from 'express'
import { expect, test } from 'vitest'
import { embed, QUIET } from '../../support/embed.ts'
import { type Send, serving } from '../../support/hosts.ts'
import { MULTIPART, multipart } from '../../support/multipart.ts'

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** None of them can register anybody, since the second password is missing. */
const REQUESTS: Record<string, Sent> = {
  'an object': { type: JSON_TYPE, body: '{"username":"ada","password1":"x","email":"no"}' },
  'with a charset': { type: `${JSON_TYPE}; charset=utf-8`, body: '{"username":"\u00e4"}' },
  'a number in place of a text': { type: JSON_TYPE, body: '{"username":123456789,"email":1.5}' },
  'values that are no texts': { type: JSON_TYPE, body: '{"username":[],"email":{},"tags":"a"}' },
  'keys of objects': { type: JSON_TYPE, body: '{"__proto__":{"username":"a"},"constructor":1}' },
  'a list': { type: JSON_TYPE, body: '[{"username":"ada"}]' },
  'a good list in a field': { type: JSON_TYPE, body: '{"tags":["a","b"]}' },
  'a bad list in a field': { type: JSON_TYPE, body: '{"tags":["a","c"]}' },
  'no bytes of JSON': { type: JSON_TYPE, body: '' },
  'a form': { type: FORM_TYPE, body: 'username=ada&email=no&password1=p%20%2B+x' },
  'no bytes of a form': { type: FORM_TYPE, body: '' },
  'a name that is repeated': { type: FORM_TYPE, body: 'email=ada%40example.com&email=no' },
  'a list in a form': { type: FORM_TYPE, body: 'tags=a&tags=c' },
  'a list of one': { type: FORM_TYPE, body: 'tags=c' },
  'a list with numbers': { type: FORM_TYPE, body: 'tags[0]=a&tags[1]=c' },
  'names with brackets': { type: FORM_TYPE, body: 'username[first]=ada' },
  'a multipart form': { type: MULTIPART, body: multipart({ username: 'ada', email: 'no' }) },
  'another type': { type: 'text/plain', body: 'username=ada' },
  'no type that we know': { type: 'application/xml', body: '<username>ada</username>' },
  'too much': { type: JSON_TYPE, body: JSON.stringify({ username: 'a'.repeat(66_000) }) },
}

const asPlainBytes: RequestHandler = (request, _response, next) => {
  if (Buffer.isBuffer(request.body)) request.body = new Uint8Array(request.body)
  next()
}

const PARSERS: Record<string, RequestHandler[]> = {
  json: [express.json()],
  'json and urlencoded': [express.json(), express.urlencoded({ extended: true })],
  'json and plain urlencoded': [express.json(), express.urlencoded({ extended: false })],
  text: [express.text({ type: () => true })],
  raw: [express.raw({ type: () => true })],
  'bytes that are no Buffer': [express.raw({ type: () => true }), asPlainBytes],
  'json of everything': [express.json({ type: JSON_TYPE, strict: false })],
}

async function start(...parsers: RequestHandler[]) {
  const { auth } = await embed({
    USER_FIELDS: { tags: { type: 'list', choices: ['a', 'b'], signup: true } },
    REST_FRAMEWORK: { DEFAULT_THROTTLE_RATES: {} },
    ACCOUNT: { RATE_LIMITS: { signup: null } },
  })
  const plain = await serving(auth.express)
  const app = express()
  if (parsers.length > 0) app.use(parsers)
  return { auth, plain, parsed: await serving(app.use(auth.express)) }
}

type Sent = { type: string; body: string | ReadableStream<Uint8Array> }

async function post(send: Send, { type, body }: Sent) {
  const headers = { 'content-type': type }
  const init = { method: 'POST', headers, body, duplex: 'half' } as const
  const response = await send('/auth/registration/', init)
  return { status: response.status, body: await response.json() }
}

test.each(Object.entries(PARSERS))('after %s, bodies mean what they meant', async (_, parsers) => {
  const { plain, parsed } = await start(...parsers)
  for (const [name, request] of Object.entries(REQUESTS)) {
    const expected = await post(plain, request)
    expect(expected.status).toBeGreaterThanOrEqual(400)
    expect({ name, ...(await post(parsed, request)) }).toEqual({ name, ...expected })
  }
})

test('a body that comes in pieces has the same limit', async () => {
  const { plain, parsed } = await start(express.json())
  for (const send of [plain, parsed]) {
    const sent = (length: number) =>
      post(send, { type: JSON_TYPE, body: inPieces(`{"username":"${'a'.repeat(length)}"}`) })
    expect((await sent(10)).status).toBe(400)
    expect(await sent(66_000)).toEqual({
      status: 413,
      body: { detail: 'Request body is too large.' },
    })
  }
})

test('numbers that a parser keeps as they are become texts', async () => {
  const { parsed } = await start((request, _response, next) => {
    request.resume().on('end', () => {
      request.body = { username: 12345678901234567890n }
      next()
    })
  })
  const { body } = await post(parsed, { type: JSON_TYPE, body: '{}' })
  expect(body).not.toHaveProperty('username')
})

test('a body that somebody has taken away is an error that says so', async () => {
  const errors: object[] = []
  const { auth } = await embed({}, { log: { ...QUIET, error: (fields) => errors.push(fields) } })
  const taking: RequestHandler = (request, _response, next) => void request.resume().on('end', next)
  const send = await serving(express().use(taking).use(auth.express))
  const answer = await post(send, { type: JSON_TYPE, body: '{}' })
  expect(answer).toEqual({ status: 500, body: { detail: 'Internal server error.' } })
  expect(errors).toMatchObject([
    { err: { message: expect.stringContaining('request.body is not set') } },
  ])
})

const inPieces = (text: string): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(stream) {
      for (const piece of text.match(/.{1,5000}/g) ?? []) stream.enqueue(Buffer.from(piece))
      stream.close()
    },
  })
