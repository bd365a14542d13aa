import { expect, test } from 'vitest'
import { STRONG, twice } from '../../support/accounts.ts'
import { LOGGED_OUT } from '../../support/answers.ts'
import { COOKIES } from '../../support/jwt.ts'
import { MULTIPART, multipart } from '../../support/multipart.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const FORM = 'application/x-www-form-urlencoded'
const failed = (reason: string) => [403, { detail: `CSRF Failed: ${reason}` }] as const
const MISSING = failed('CSRF token missing.')
const INCORRECT = failed('CSRF token incorrect.')

async function startLoggedIn() {
  const auth = await startAuth()
  await auth.createUser({ username: 'ada' })
  const browser = await auth.logInBrowser('ada')
  const token = browser.cookie('csrftoken')
  const change = (fields: object, headers = {}) => {
    const body = new URLSearchParams({ ...twice(STRONG), ...fields }).toString()
    return browser.post('password/change/', body, { type: FORM, headers })
  }
  return { ...auth, browser, token, change }
}

test('a form may carry the token as a field', async () => {
  const { change, token } = await startLoggedIn()
  expect((await change({ csrfmiddlewaretoken: token })).status).toBe(200)
})

test('a form with files may, too', async () => {
  const { browser, token } = await startLoggedIn()
  const body = multipart({ csrfmiddlewaretoken: token })
  expect(await browser.post('logout/', body, { type: MULTIPART })).toMatchReply(200, LOGGED_OUT)
})

test('without a token, with a wrong one, or with one of another login, nothing changes', async () => {
  const { change, browser, request, newBrowser } = await startLoggedIn()
  const other = newBrowser()
  await other.get('csrf/')
  expect(await browser.post('logout/', undefined, { type: FORM })).toMatchReply(...MISSING)
  expect(await change({})).toMatchReply(...MISSING)
  expect(await change({ csrfmiddlewaretoken: '' })).toMatchReply(...MISSING)
  for (const csrfmiddlewaretoken of ['x', other.cookie('csrftoken')]) {
    expect(await change({ csrfmiddlewaretoken })).toMatchReply(...INCORRECT)
  }
  const credentials = { username: 'ada', password: PASSWORD }
  expect((await request.post('login/', credentials)).status).toBe(200)
})

test('a wrong header is refused even with a right field', async () => {
  const { change, token } = await startLoggedIn()
  const reply = await change({ csrfmiddlewaretoken: token }, { 'x-csrftoken': 'x' })
  expect(reply).toMatchReply(...INCORRECT)
})

test('another site is refused, with any form', async () => {
  const { change, token } = await startLoggedIn()
  const reply = await change({ csrfmiddlewaretoken: token }, { origin: 'https://evil.example' })
  expect(reply.status).toBe(403)
})

test('only a form has such a field, and only a POST is a form', async () => {
  const { browser, token } = await startLoggedIn()
  const fields = { ...twice(STRONG), csrfmiddlewaretoken: token }
  expect(await browser.post('password/change/', fields)).toMatchReply(...MISSING)
  const text = new URLSearchParams({ first_name: 'Changed', csrfmiddlewaretoken: token }).toString()
  expect(await browser.patch('user/', text, { type: FORM })).toMatchReply(...MISSING)
  const byType = { type: 'application/x-www-form-urlencodedish' }
  expect(await browser.post('password/change/', text, byType)).toMatchReply(...MISSING)
  expect((await browser.get('user/')).body).toMatchObject({ first_name: '' })
})

test('where every visitor must bring the pair, a form may bring it as a field', async () => {
  const { newBrowser, createUser } = await startAuth({
    REST_AUTH: {
      USE_JWT: true,
      ...COOKIES,
      JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED: true,
    },
  })
  await createUser({ username: 'ada' })
  const browser = newBrowser()
  await browser.get('csrf/')
  const logIn = (fields: object) =>
    browser.post(
      'login/',
      new URLSearchParams({ username: 'ada', password: PASSWORD, ...fields }).toString(),
      { type: FORM },
    )
  expect(await logIn({})).toMatchReply(...MISSING)
  expect(browser.cookie('jwt-auth')).toBe('')
  expect((await logIn({ csrfmiddlewaretoken: browser.cookie('csrftoken') })).status).toBe(200)
})
