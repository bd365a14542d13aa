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
