import { expect, test } from 'vitest'
import { signup } from '../support/accounts.ts'
import { KEY } from '../support/answers.ts'
import { COOKIES, type Pair } from '../support/jwt.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/
const ada = { username: 'ada', password: PASSWORD }

/** What a login and a registration answer: statuses, the refresh tokens in the bodies, cookies. */
async function answersOf(REST_AUTH: object) {
  const { newBrowser, createUser, request } = await startAuth({ REST_AUTH })
  await createUser({ username: 'ada' })
  const login = await newBrowser().post('login/', ada)
  const registration = await newBrowser().post('registration/', signup('bob'))
  const { body } = await request.get('openapi.json')
  const { paths } = body as { paths: Record<string, { post: { responses: object } }> }
  const responses = Object.keys(paths['/registration/']?.post.responses ?? {})
  return { login, registration, documented: responses.filter((status) => status.startsWith('2')) }
}

const cookiesOf = ({ cookies }: { cookies: { name: string }[] }) => cookies.map(({ name }) => name)

test.each([
  [2, JWT, []],
  ['2.2.8', JWT, []],
  [3, '', []],
  ['6.0.0', '', []],
  [undefined, '', ['jwt-auth', 'jwt-refresh']],
  ['7.0.1', '', ['jwt-auth', 'jwt-refresh']],
])(
  'version %s: where the refresh token travels, beside HttpOnly cookies',
  async (VERSION, inLogin, atRegistration) => {
    const settings = { USE_JWT: true, ...COOKIES, VERSION }
    const { login, registration } = await answersOf(settings)
    expect(cookiesOf(login)).toEqual(['jwt-auth', 'jwt-refresh'])
    expect(login.cookies.every(({ httpOnly }) => httpOnly)).toBe(true)
    expect((login.body as Pair).refresh).toMatch(inLogin === '' ? /^$/ : inLogin)
    expect(cookiesOf(registration)).toEqual(atRegistration)
    // Where no cookie is set, the body is the only place.
    expect((registration.body as Pair).refresh).toMatch(atRegistration.length > 0 ? /^$/ : JWT)
  },
)

test('the setting for cookies at registration counts, whatever the version', async () => {
  const settings = { USE_JWT: true, ...COOKIES, VERSION: 5, JWT_AUTH_COOKIE_AT_REGISTRATION: true }
  const { registration } = await answersOf(settings)
  expect(cookiesOf(registration)).toEqual(['jwt-auth', 'jwt-refresh'])
})

test.each([
  ['2.1.11', 201],
  ['2.2', 204],
  [6, 204],
  [7, 201],
])('version %s: a registration that opens a session is %i', async (VERSION, status) => {
  const { login, registration, documented } = await answersOf({ VERSION })
  expect(login).toMatchReply(200, KEY)
  expect(registration).toMatchReply(status, status === 204 ? undefined : KEY)
  expect(cookiesOf(registration)).toEqual(['sessionid', 'csrftoken'])
  expect(documented).toEqual(status === 204 ? ['204'] : ['201', '204'])
})

test('without a session the key is the answer in every version', async () => {
  const { registration } = await answersOf({ VERSION: 5, SESSION_LOGIN: false })
  expect(registration).toMatchReply(201, KEY)
  const jwt = await answersOf({ VERSION: 5, USE_JWT: true, SESSION_LOGIN: true })
  expect((jwt.registration.body as Pair).access).toMatch(JWT)
})

test.each(['', 'seven', '7.x', '-1', -1, '2..2', null, [7], { a: 1 }, '1.2.3.4.5', 1e9, true])(
  'the version %j stops the start',
  async (VERSION) => {
    const starting = startAuth({ REST_AUTH: { VERSION } as object })
    await expect(starting).rejects.toThrow('REST_AUTH.VERSION')
  },
)
