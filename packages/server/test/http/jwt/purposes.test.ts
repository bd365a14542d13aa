import { expect, test } from 'vitest'
import { transaction } from '../../../src/storage/transaction.ts'
import { badBearer, bearer, COOKIES, notValid, type Pair, startJwt } from '../../support/jwt.ts'
import { PASSWORD } from '../../support/start-auth.ts'

const INVALID = notValid('Token is invalid')

/** All ways to log in are on, so that every kind of secret exists. */
async function startWithEverything() {
  const started = await startJwt({
    REST_AUTH: { ...COOKIES, SESSION_LOGIN: true, JWT_AUTH_HTTPONLY: false },
  })
  const browser = started.newBrowser()
  const reply = await browser.post('login/', { username: 'ada', password: PASSWORD })
  const key = await transaction(started.handle, (tx) =>
    started.auth.services.tokens.keyOf(started.ada.id, tx),
  )
  const pair = reply.body as Pair
  const others = { key, session: browser.cookie('sessionid'), csrf: browser.cookie('csrftoken') }
  return { ...started, browser, pair, others }
}

test('no other secret is taken for a JSON Web Token', async () => {
  const { request, refresh, getUser, others } = await startWithEverything()
  for (const secret of Object.values(others)) {
    expect(await request.post('token/verify/', { token: secret })).toMatchReply(...INVALID)
    expect(await refresh(secret)).toMatchReply(...INVALID)
    expect(await getUser(secret)).toMatchReply(...badBearer('Token is invalid'))
    const cookies = { 'jwt-auth': secret }
    expect((await request.get('user/', { cookies })).status).toBe(401)
  }
})

test('a JSON Web Token is taken for no other secret', async () => {
  const { request, browser, pair } = await startWithEverything()
  for (const token of Object.values({ access: pair.access, refresh: pair.refresh })) {
    expect(await request.get('user/', { token })).toMatchReply(401, { detail: 'Invalid token.' })
    expect((await request.get('user/', { cookies: { sessionid: token } })).status).toBe(401)
    const asCsrf = {
      cookies: { csrftoken: token, 'jwt-auth': '' },
      headers: { 'x-csrftoken': token },
    }
    expect(await browser.patch('user/', {}, asCsrf)).toMatchReply(403, {
      detail: 'CSRF Failed: CSRF token incorrect.',
    })
  }
})

test('an access token is no refresh token, and the other way round, in cookies too', async () => {
  const { request, pair } = await startWithEverything()
  const swapped = { cookies: { 'jwt-auth': pair.refresh, 'jwt-refresh': pair.access } }
  expect(await request.get('user/', swapped)).toMatchReply(...badBearer('Token has wrong type'))
  const wrong = notValid('Token has wrong type')
  expect(await request.post('token/refresh/', {}, swapped)).toMatchReply(...wrong)
  expect(await request.get('user/', bearer(pair.refresh))).toMatchReply(
    ...badBearer('Token has wrong type'),
  )
})
