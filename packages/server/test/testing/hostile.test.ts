import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendBytesTo } from '../support/socket.ts'
import { good, startService } from './support.ts'

let service: Awaited<ReturnType<typeof startService>>

beforeAll(async () => {
  const APPS = [
    {
      ...{ provider_id: 'acme', name: 'Acme', client_id: 'latchkey', secret: 'a secret' },
      settings: { server_url: 'test:' },
    },
  ]
  const settings = {
    SOCIALACCOUNT: { PROVIDERS: { openid_connect: { APPS } } },
    USER_FIELDS: { phone: { type: 'string' as const } },
  }
  service = await startService(settings, { atTheEnd: afterAll, seed: [{ username: 'ada' }] })
})

/** Every field of every endpoint, with the other fields that a good body has. */
const BODIES: Readonly<Record<string, readonly [fields: readonly string[], others: object]>> = {
  users: [
    [
      ...['username', 'email', 'password', 'verified', 'active', 'first_name', 'last_name'],
      ...['is_staff', 'is_superuser', 'groups', 'fields', 'language', 'totp', 'passkey', 'reason'],
    ],
    {},
  ],
  login: [['user', 'mode', 'mfa', 'age'], { user: 'ada' }],
  clock: [['advance', 'set', 'freeze', 'run'], {}],
  'idp/acme/next': [['sub', 'email', 'email_verified', 'name', 'claims', 'error', 'delay'], {}],
  'idp/acme/token': [['grant_type', 'code', 'client_id', 'client_secret', 'redirect_uri'], {}],
  faults: [['path', 'status', 'delay', 'times', 'smtp', 'database'], {}],
  'limits/reset': [['all'], {}],
  snapshot: [['id'], {}],
  restore: [['id'], {}],
  reset: [['all'], {}],
}

const DEEP = JSON.parse(`${'['.repeat(3000)}${']'.repeat(3000)}`)
const HUGE = 'x'.repeat(100_000)
const BAD = [
  ...[null, true, -1, 1e300, '', HUGE, 'a\0b', '\ud800', '1e999d'],
  ...[[], [null], { constructor: 1 }, { toString: 1 }, DEEP],
]
/** Not even an object, and the names that objects have anyway. */
const BODIES_OF_ANY = [
  ...['null', 'true', '7', '"x"', '[]', '[[]]', '[null]', '[7]', '{', '\0', '\ufeff{}', '{"a":1}'],
  ...['{"__proto__":{"a":1}}', '{"constructor":1}', '{"username":"a","username":"b"}'],
  '['.repeat(100_000),
]

type Got = { asked: string; status: number; body: unknown }

/** Refusals say why in words, and nothing is an error of the service. */
function expectWords({ asked, status, body }: Got): void {
  expect({ asked, isOurs: status >= 500 }).toEqual({ asked, isOurs: false })
  if (status < 400) return
  const { detail, error } = body as { detail?: string; error?: string }
  expect({ asked, words: detail ?? error }).toEqual({ asked, words: expect.stringMatching(/\w/) })
  expect(JSON.stringify(body).length, asked).toBeLessThan(2000)
}

test.each(Object.keys(BODIES))('POST %s takes no nonsense', async (path) => {
  const [fields, others] = BODIES[path] ?? [[], {}]
  const ask = async (body: string) => {
    const got = await service.test('POST', path, body)
    expectWords({ asked: `${path} ${body.slice(0, 80)}`, ...got })
  }
  await Promise.all(BODIES_OF_ANY.map(ask))
  for (const field of fields) {
    await Promise.all(BAD.map((bad) => ask(JSON.stringify({ ...others, [field]: bad }))))
  }
  await good(service.test('POST', 'reset'))
  expect(await service.test('POST', 'login', { user: 'ada' })).toMatchObject({ status: 200 })
})

/** As written, since `fetch` would tidy it up. */
async function askRaw(method: string, path: string, headers = {}): Promise<Got> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${service.url}/`, { method, path, headers }, resolve).on('error', reject).end()
  })
  const body = await text(response)
  const isJson = response.headers['content-type']?.includes('json')
  const asked = `${method} ${path.slice(0, 80)}`
  return { asked, status: response.statusCode ?? 0, body: isJson ? JSON.parse(body) : { body } }
}

const TEXTS = [
  ...['', '%00', '%ff', '%', '%ED%A0%80', '..', '%2e%2e%2f', '-1', '1e999', 'x'.repeat(8000)],
  ...['constructor', '__proto__', '[]', 'a&', '%2F'],
]

test('addresses take no nonsense', async () => {
  const queries = [
    ...['to', 'kind', 'after', 'wait'].map((name) => `mail?${name}=`),
    ...['type', 'after', 'wait'].map((name) => `events?${name}=`),
    ...['client_id', 'redirect_uri', 'state'].map((name) => `idp/acme/authorize?${name}=`),
    ...['totp/', 'idp/', '', 'mail?', 'clock?'],
  ]
  for (const query of queries) {
    const asked = TEXTS.map((bad) => askRaw('GET', `/__test/${query}${bad}`))
    for (const got of await Promise.all(asked)) expectWords(got)
    // A name that is there twice is a list.
    const again = query.slice(query.indexOf('?') + 1)
    if (again.endsWith('=')) expectWords(await askRaw('GET', `/__test/${query}a&${again}b`))
  }
})

test('methods and spaces take no nonsense', async () => {
  for (const path of Object.keys(BODIES)) {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
      expectWords(await askRaw(method, `/__test/${path}`))
    }
  }
  for (const name of ['a/b', '..', ' ', 'x'.repeat(4000), 'é']) {
    const headers = { 'x-test-space': name }
    expectWords(await askRaw('GET', '/__test/', headers))
  }
  expectWords(await askRaw('GET', '/__test/', { authorization: 'Bearer \u00e9' }))
})

test.each([
  ['no request', 'NO REQUEST\r\n\r\n', 400],
  ['too many headers', `GET /auth/user/ HTTP/1.1\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['no host', 'GET /auth/user/ HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
])('%s is answered as by the service', async (_, bytes, status) => {
  const answer = await sendBytesTo(Number(new URL(service.url).port), bytes)
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(answer).toMatch(/^x-request-id: ./im)
  expect(answer).toMatch(/\{"detail":".+"\}/)
})
