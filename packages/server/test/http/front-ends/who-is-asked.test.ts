import { expect, test } from 'vitest'
import { LOGGED_OUT } from '../../support/answers.ts'
import { bearer, COOKIES, type Pair } from '../../support/jwt.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const NOBODY = [401, { detail: 'Authentication credentials were not provided.' }] as const
const credentials = (username: string) => ({ username, password: PASSWORD })

async function startWith(classes: string[], restAuth: object = {}) {
  const started = await startAuth({
    REST_AUTH: restAuth,
    REST_FRAMEWORK: { DEFAULT_AUTHENTICATION_CLASSES: classes },
  })
  await started.createUser({ username: 'ada' })
  await started.createUser({ username: 'grace' })
  return started
}

test('a session that is not named is opened, but signs nobody in and asks for no token', async () => {
  const { newBrowser } = await startWith(['token'])
  const browser = newBrowser()
  const reply = await browser.post('login/', credentials('ada'))
  expect(reply.cookies.map(({ name }) => name)).toEqual(['sessionid', 'csrftoken'])
  expect(await browser.get('user/')).toMatchReply(...NOBODY)
  expect(await browser.patch('user/', { first_name: 'Changed' })).toMatchReply(...NOBODY)

  const { key: token } = reply.body as { key: string }
  const patched = await browser.patch('user/', { first_name: 'Ada' }, { token })
  expect(patched.body).toMatchObject({ first_name: 'Ada' })
  expect(await browser.post('logout/')).toMatchReply(200, LOGGED_OUT)
})

test('beside it, the cookie of a JWT signs in without a token', async () => {
  const { newBrowser } = await startWith(['jwt'], {
    ...{ USE_JWT: true, SESSION_LOGIN: true },
    ...COOKIES,
  })
  const browser = newBrowser()
  await browser.post('login/', credentials('ada'))
  expect(browser.cookie('sessionid')).not.toBe('')
  const patched = await browser.patch('user/', { first_name: 'Ada' })
  expect(patched.body).toMatchObject({ first_name: 'Ada' })
})

test('a scheme that is not named is no credential', async () => {
  const { request } = await startWith(['session'], { USE_JWT: true, SESSION_LOGIN: true })
  const { body } = await request.post('login/', credentials('ada'))
  const { access } = body as Pair
  expect(await request.get('user/', bearer(access))).toMatchReply(...NOBODY)
  expect(await request.get('user/', { token: '0'.repeat(40) })).toMatchReply(...NOBODY)
})

test('of two cookies that of the first name counts', async () => {
  const restAuth = { USE_JWT: true, SESSION_LOGIN: true, ...COOKIES }
  for (const [classes, winner] of [
    [['jwt', 'session'], 'grace'],
    [['session', 'jwt'], 'ada'],
  ] as const) {
    const { newBrowser } = await startWith([...classes], restAuth)
    const [one, other] = [newBrowser(), newBrowser()]
    await one.post('login/', credentials('ada'))
    await other.post('login/', credentials('grace'))
    const reply = await newBrowser().get('user/', {
      cookies: { sessionid: one.cookie('sessionid'), 'jwt-auth': other.cookie('jwt-auth') },
    })
    expect(reply.body).toMatchObject({ username: winner })
  }
})

test('a stale JWT in a cookie does not hide the session beside it', async () => {
  const restAuth = { USE_JWT: true, SESSION_LOGIN: true, ...COOKIES }
  const { newBrowser, request } = await startWith(['jwt', 'session'], restAuth)
  const browser = newBrowser()
  await browser.post('login/', credentials('ada'))
  const sessionid = browser.cookie('sessionid')
  const { body } = await request.get('csrf/', { cookies: { sessionid, 'jwt-auth': 'stale' } })
  const { csrf_token: csrftoken } = body as { csrf_token: string }
  const patched = await request.patch(
    'user/',
    { first_name: 'Ada' },
    { cookies: { sessionid, csrftoken }, headers: { 'x-csrftoken': csrftoken } },
  )
  expect(patched.body).toMatchObject({ first_name: 'Ada' })
})

const INVALID = [401, { detail: 'Invalid token.' }] as const
const EMPTY = [401, { detail: 'Invalid token header. No credentials provided.' }] as const

/** What front ends send that have no key, or not yet. */
const HALF_KEYS = ['Token ', 'Token undefined', 'Token null', `Token ${'0'.repeat(40)}`]

test('a session that is listed first counts, whatever the header says', async () => {
  const { logInBrowser, request } = await startWith(['session', 'token'])
  const browser = await logInBrowser('ada')
  for (const authorization of [...HALF_KEYS, 'Basic eDp5']) {
    const headers = { authorization }
    expect((await browser.get('user/', { headers })).body).toMatchObject({ username: 'ada' })
    const patched = await browser.patch(
      'user/',
      { first_name: authorization },
      {
        headers: { ...headers, 'x-csrftoken': browser.cookie('csrftoken') },
      },
    )
    expect(patched.body).toMatchObject({ first_name: authorization.trim() })
    // It is the session that counts, so its rules do, too.
    const forged = await browser.patch('user/', { first_name: 'Forged' }, { headers })
    expect(forged).toMatchReply(403, { detail: 'CSRF Failed: CSRF token missing.' })
  }
  expect(await request.get('user/', { headers: { authorization: 'Token ' } })).toMatchReply(
    ...EMPTY,
  )
  const ended = { cookies: { sessionid: 'made-up' }, headers: { authorization: 'Token x' } }
  expect(await request.get('user/', ended)).toMatchReply(...INVALID)
})

test('a header that is listed first is refused if it is bad, and wins if it is good', async () => {
  const { logInBrowser, request } = await startWith(['token', 'session'])
  const browser = await logInBrowser('ada')
  for (const authorization of HALF_KEYS) {
    expect((await browser.get('user/', { headers: { authorization } })).status).toBe(401)
  }
  // A word that no class reads is no credential, so the next class is asked.
  const basic = { headers: { authorization: 'Basic eDp5' } }
  expect((await browser.get('user/', basic)).body).toMatchObject({ username: 'ada' })
  const { body } = await request.post('login/', credentials('grace'))
  const { key: token } = body as { key: string }
  expect((await browser.get('user/', { token })).body).toMatchObject({ username: 'grace' })
})

test('where no order is set, a header of any kind keeps cookies from counting', async () => {
  const { createUser, logInBrowser } = await startAuth()
  await createUser({ username: 'ada' })
  const browser = await logInBrowser('ada')
  const basic = { headers: { authorization: 'Basic eDp5' } }
  expect(await browser.get('user/', basic)).toMatchReply(...NOBODY)
  expect((await browser.get('user/', { headers: { authorization: 'Token ' } })).status).toBe(401)
})

test('the cookie of a JWT counts only without a header, as in the original', async () => {
  const restAuth = { USE_JWT: true, SESSION_LOGIN: true, ...COOKIES }
  const { newBrowser } = await startWith(['jwt', 'session'], restAuth)
  const browser = newBrowser()
  await browser.post('login/', credentials('ada'))
  const cookies = { 'jwt-auth': browser.cookie('jwt-auth') }
  const headers = { authorization: 'Basic eDp5' }
  expect(await newBrowser().get('user/', { cookies, headers })).toMatchReply(...NOBODY)
  const session = { sessionid: browser.cookie('sessionid') }
  const both = await newBrowser().get('user/', { cookies: { ...cookies, ...session }, headers })
  expect(both.body).toMatchObject({ username: 'ada' })
})

test('keys that no request can use are told at the start', async () => {
  const lines: string[] = []
  const start = async (classes: string[], restAuth: object = {}) => {
    lines.length = 0
    await startAuth(
      { REST_AUTH: restAuth, REST_FRAMEWORK: { DEFAULT_AUTHENTICATION_CLASSES: classes } },
      { onLogLine: (line) => lines.push(line) },
    )
    return lines.join('')
  }
  const warning = 'DEFAULT_AUTHENTICATION_CLASSES does not name token'
  expect(await start(['session'])).toContain(warning)
  expect(await start(['session', 'token'])).not.toContain(warning)
  expect(await start(['session'], { TOKEN_MODEL: null })).not.toContain(warning)
  expect(await start(['jwt'], { USE_JWT: true })).not.toContain(warning)
})

test('the OpenAPI document names those that count, and asks for no token without a session', async () => {
  const { request } = await startWith(['token'])
  const { body } = await request.get('openapi.json')
  const document = body as {
    components: { securitySchemes: object }
    paths: Record<string, Record<string, { responses: object }>>
  }
  expect(Object.keys(document.components.securitySchemes)).toEqual(['token'])
  expect(document.paths['/user/']?.patch?.responses).not.toHaveProperty('403')
})

test.each([
  [['jwt'], {}, 'names jwt, but REST_AUTH.USE_JWT is off; switch it on, or remove'],
  [['token'], { TOKEN_MODEL: null }, 'names token, but REST_AUTH.TOKEN_MODEL is off'],
  [['token', 'session'], { SESSION_LOGIN: false }, 'names session, but REST_AUTH.SESSION_LOGIN'],
  [['basic'], {}, 'token, jwt or session'],
  [[], {}, 'a list that is not empty'],
])('the classes %j with %j stop the start', async (classes, restAuth, reason) => {
  await expect(startWith(classes, restAuth)).rejects.toThrow(reason)
})
