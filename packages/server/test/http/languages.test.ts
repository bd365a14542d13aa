import { afterAll, beforeAll, expect, test } from 'vitest'
import { problems } from '../../src/kernel/problem-table.ts'
import type { english } from '../../src/kernel/words/english.ts'
import { fill, formsOf } from '../../src/kernel/words/text.ts'
import { knownLanguages, readLanguage } from '../../src/settings/words-files.ts'
import { readAnswer, sendBytes } from '../support/socket.ts'
import { PASSWORD, type StartedAuth, startAuth } from '../support/start-auth.ts'

const LANGUAGES = knownLanguages({ WORDS_DIR: null })
const ASKS_FOR_CODES = { 'x-error-codes': '1' }
const SETTINGS = {
  LANGUAGES,
  MODULES: ['registration', 'social', 'mfa', 'passkeys', 'pages'],
  REST_AUTH: { USE_JWT: true },
  SIMPLE_JWT: { SIGNING_KEY: 'a signing key for tests only, long enough' },
}

type Body = Record<string, unknown>
type Codes = Record<string, string[]>
type Method = Parameters<StartedAuth['request']['call']>[0]

let auth: StartedAuth
beforeAll(async () => {
  auth = await startAuth(SETTINGS, { atTheEnd: afterAll })
})

/** Bad in every way that comes before the database. */
const BODIES = [
  {},
  { username: '', email: 'no', password: null, password1: '1', code: [], token: '', uid: 'x' },
  [],
] as const

/** A code of the original is no text, and the texts of an access token have a test of their own. */
const isWorded = ([name, value]: [string, unknown]): boolean =>
  name !== 'messages' && (name !== 'code' || Array.isArray(value))

let calls = 0
/** Another client each time, so that no limit is reached. */
const newAddress = (): string => {
  calls += 1
  return `10.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}`
}

const answersIn = new Map(
  LANGUAGES.map((code) => [code, readLanguage(code, { WORDS_DIR: null }).words.answers]),
)
const patterns = new Map<string, RegExp>()

/** What is said of a code in this language, whatever the values are. */
function patternOf(code: string, language: string): RegExp {
  const known = patterns.get(`${language} ${code}`)
  if (known) return known
  const text = answersIn.get(language)?.[code as keyof typeof english.answers] ?? ''
  const forms = formsOf(text).map((form) =>
    form
      .split(/\{\w+\}/)
      .map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
      .join('[\\s\\S]*'),
  )
  const pattern = new RegExp(`^(${forms.join('|')})$`, 'u')
  patterns.set(`${language} ${code}`, pattern)
  return pattern
}

/** Asks, and returns the codes of a refusal after a look at its words. */
async function codesIn(language: string, method: Method, path: string, payload?: object) {
  const headers = { 'accept-language': language, accept: 'application/json', ...ASKS_FOR_CODES }
  const answer = await auth.request.call(method, path, payload, { headers, from: newAddress() })
  if (answer.status < 400) return undefined
  const what = `${method} ${path} ${JSON.stringify(payload)} in ${language}: ${JSON.stringify(answer.body)}`
  expect(answer.headers, what).toMatchObject({
    'content-language': language,
    vary: expect.stringContaining('Accept-Language'),
  })
  const { codes, ...all } = answer.body as Body & { codes: Codes }
  const said = Object.entries(all).filter(isWorded)
  expect(Object.keys(codes).toSorted(), what).toEqual(said.map(([name]) => name).toSorted())
  for (const [name, texts] of said) {
    const list = [texts].flat()
    expect(codes[name], what).toHaveLength(list.length)
    list.forEach((text, nth) => {
      const code = codes[name]?.[nth] ?? ''
      expect(problems, what).toHaveProperty(code)
      expect(text, `${code}; ${what}`).toMatch(patternOf(code, language))
    })
  }
  return codes
}

test('every endpoint refuses in the language of the caller, with the same codes', async () => {
  const endpoints = auth.auth.endpoints().filter(({ path }) => !path.includes(':'))
  expect(endpoints.length).toBeGreaterThan(30)
  const others = LANGUAGES.slice(1)
  const asked = endpoints.flatMap(({ method, path }) =>
    (method === 'GET' ? [undefined] : BODIES).map((payload) => ({ method, path, payload })),
  )
  // Whether a refusal is translated depends on its place in the code, and on no language.
  expect(asked.length).toBeGreaterThan(others.length)
  const heard = new Set<string>()
  for (const [nth, { method, path, payload }] of asked.entries()) {
    const language = others[nth % others.length] ?? ''
    const expected = await codesIn('en', method, path, payload)
    expect(await codesIn(language, method, path, payload), `${path}, ${language}`).toEqual(expected)
    for (const code of Object.values(expected ?? {}).flat()) heard.add(code)
  }
  expect([...heard]).toEqual(expect.arrayContaining(['required', 'blank', 'not_an_object', 'null']))
})

const german = readLanguage('de', { WORDS_DIR: null }).words.answers
const inGerman = { headers: { 'accept-language': 'de-AT,de;q=0.9' } }

test('refusals before routing and of the whole request are translated, too', async () => {
  const { request } = auth
  const ask = async (method: 'GET' | 'POST', path: string, payload?: string, type?: string) => {
    const options = { ...inGerman, ...(type && { type }) }
    const { body, headers } = await request.call(method, path, payload, options)
    expect(headers['content-language'], path).toBe('de')
    expect(headers.vary, path).toContain('Accept-Language')
    return (body as Body).detail
  }
  expect(await ask('GET', '/nowhere')).toBe(german.not_found)
  expect(await ask('GET', '/auth/%zz')).toBe(german.not_found)
  expect(await ask('GET', 'login/')).toBe(fill(german.method_not_allowed, { method: 'GET' }, 'de'))
  const type = 'text/plain'
  expect(await ask('POST', 'login/', 'x', type)).toBe(
    fill(german.unsupported_media_type, { type }, 'de'),
  )
  expect(await ask('POST', 'login/', 'x'.repeat(70_000), 'application/json')).toBe(
    german.body_too_large,
  )
  expect(await ask('GET', 'user/')).toBe(german.not_authenticated)
})

test('a request that cannot be read is answered in the usual language, which is told', async () => {
  const malformed = 'NO REQUEST\r\n\r\n'
  const { app } = await startAuth({ LANGUAGES: ['en', 'de'], LANGUAGE_CODE: 'de' })
  const answer = await sendBytes(app, malformed)
  expect(readAnswer(answer).body).toEqual({ detail: german.malformed_request })
  expect(answer).toMatch(/^content-language: de\r$/im)
  const single = await startAuth({ LANGUAGES: ['de'], LANGUAGE_CODE: 'de' })
  expect(await sendBytes(single.app, malformed)).not.toMatch(/^content-language/im)
})

test('what was done is said in the language of the caller, and ok is not', async () => {
  const { body, headers } = await auth.request.post('logout/', {}, inGerman)
  expect(body).toEqual({ detail: german.logged_out })
  expect(headers['content-language']).toBe('de')
  const reset = await auth.request.post(
    'password/reset/',
    { email: 'a@example.com' },
    { ...inGerman, from: newAddress() },
  )
  expect(reset.body).toEqual({ detail: german.reset_sent })
})

test('a header that is no language, or a long one, gets the usual one and is never repeated', async () => {
  for (const header of ['xx\u00e9, <script>', 'a'.repeat(10_000), '*;q=0', ',;q']) {
    const { headers, body } = await auth.request.get('user/', {
      headers: { 'accept-language': header },
    })
    expect(headers['content-language']).toBe('en')
    expect(body).toEqual({ detail: 'Authentication credentials were not provided.' })
  }
})

test('with one language nothing is negotiated, whatever it is', async () => {
  const english = await startAuth({})
  const plain = await english.request.get('user/', inGerman)
  expect(plain.body).toEqual({ detail: 'Authentication credentials were not provided.' })
  expect(plain.headers).not.toHaveProperty('content-language')
  expect(plain.headers).not.toHaveProperty('vary')

  const only = await startAuth({ LANGUAGES: ['de'], LANGUAGE_CODE: 'de' })
  const { body, headers } = await only.request.get('user/', {
    headers: { 'accept-language': 'en' },
  })
  expect(body).toEqual({ detail: german.not_authenticated })
  expect(headers).not.toHaveProperty('content-language')
  expect(headers).not.toHaveProperty('vary')
  const page = await only.request.get('/account/login/', { headers: { 'accept-language': 'fr' } })
  expect(page.body).toContain('<html lang="de">')
})

test('the answer to a foreign page varies by both', async () => {
  const origin = 'https://app.example.com'
  const { request } = await startAuth({ LANGUAGES: ['en', 'de'], CORS_ALLOWED_ORIGINS: [origin] })
  const { headers } = await request.get('user/', { headers: { origin, 'accept-language': 'de' } })
  expect(headers.vary).toBe('Accept-Language, Origin')
  expect(headers['content-language']).toBe('de')
  const page = await request.get('/account/login/', { headers: { origin } })
  expect(page.headers.vary).toBe('Accept-Language, Origin, Cookie')
})

test('codes are under the keys of the words, as the settings name them', async () => {
  const bad = { username: 'ada' }
  const asked = { headers: ASKS_FOR_CODES }
  const usual = await startAuth({})
  expect((await usual.request.post('login/', bad)).body).toEqual({
    password: ['This field is required.'],
  })
  expect((await usual.request.post('login/', bad, asked)).body).toEqual({
    password: ['This field is required.'],
    codes: { password: ['required'] },
  })
  expect((await usual.request.get('user/', asked)).body).toEqual({
    detail: 'Authentication credentials were not provided.',
    codes: { detail: ['not_authenticated'] },
  })
  for (const value of ['0', 'true', '']) {
    const { body } = await usual.request.get('user/', { headers: { 'x-error-codes': value } })
    expect(body).not.toHaveProperty('codes')
  }

  const renamed = await startAuth({
    ERROR_CODES: true,
    REST_FRAMEWORK: { NON_FIELD_ERRORS_KEY: '__all__', ERRORS_UNDER: 'errors' },
  })
  const wrong = { username: 'ada', password: PASSWORD }
  expect((await renamed.request.post('login/', wrong)).body).toEqual({
    errors: {
      __all__: ['Unable to log in with provided credentials.'],
      codes: { __all__: ['wrong_credentials'] },
    },
  })
})

test('a body that has a code keeps it, and an access token has the codes of all its words', async () => {
  const { body } = await auth.request.get('user/', {
    headers: { authorization: 'Bearer x', ...ASKS_FOR_CODES },
  })
  expect(body).toEqual({
    detail: 'Given token not valid for any token type',
    code: 'token_not_valid',
    messages: [{ token_class: 'AccessToken', token_type: 'access', message: 'Token is invalid' }],
    codes: { detail: ['access_token_not_valid'], messages: ['token_invalid'] },
  })
})
