import { expect, test } from 'vitest'
import { signup } from '../../support/accounts.ts'
import { bearer, COOKIES, ROTATING, startJwt } from '../../support/jwt.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const ANSWER_NAMES = {
  access: ['access_token', 'access'],
  refresh: 'refresh_token',
  access_expiration: 'expires_at',
  user: ['profile', 'me'],
}

const ADA = { username: 'ada', password: PASSWORD }
const TEXT = expect.any(String)
const USER = expect.objectContaining({ username: 'ada', email: 'ada@example.com' })

test('a token is sent under another name, from every door', async () => {
  const { createUser, request } = await startAuth({ REST_AUTH: { ANSWER_NAMES: { key: 'token' } } })
  await createUser({ username: 'ada' })
  expect(await request.post('login/', ADA)).toMatchReply(200, {
    token: expect.stringMatching(/^[0-9a-f]{40}$/),
  })
  expect(await request.post('registration/', signup('bob'))).toMatchReply(201, { token: TEXT })
})

test('each value of a JWT login is sent under its names, and no other', async () => {
  const { request } = await startJwt({
    REST_AUTH: { ANSWER_NAMES, JWT_AUTH_RETURN_EXPIRATION: true },
  })
  const { status, body } = await request.post('login/', ADA)
  const answer = body as Record<string, unknown>
  expect(status).toBe(200)
  expect(answer).toEqual({
    access_token: TEXT,
    access: TEXT,
    refresh_token: TEXT,
    profile: USER,
    me: USER,
    expires_at: TEXT,
    refresh_expiration: TEXT,
  })
  expect(answer.access_token).toBe(answer.access)
})

test.each(['refresh_token', 'refresh'])('a refresh token is taken as %s', async (name) => {
  const { request } = await startJwt({ REST_AUTH: { ANSWER_NAMES }, SIMPLE_JWT: ROTATING })
  const { body } = await request.post('login/', ADA)
  const { refresh_token } = body as { refresh_token: string }
  const refreshed = await request.post('token/refresh/', { [name]: refresh_token })
  expect(refreshed).toMatchReply(200, { access_token: TEXT, access: TEXT, refresh_token: TEXT })

  const { refresh_token: next } = refreshed.body as { refresh_token: string }
  await request.post('logout/', { [name]: next })
  expect(await request.post('token/refresh/', { [name]: next })).toMatchReply(401, {
    detail: 'Token is blacklisted',
    code: 'token_not_valid',
  })
})

test('a bad refresh token is refused under the name that it came under', async () => {
  const { request } = await startJwt({ REST_AUTH: { ANSWER_NAMES } })
  expect(await request.post('token/refresh/', { refresh_token: true })).toMatchReply(400, {
    refresh_token: ['Not a valid string.'],
  })
  expect(await request.post('token/refresh/', { unknown: 'x' })).toMatchReply(401, {
    detail: 'No valid refresh token found.',
    code: 'token_not_valid',
  })
})

test('a refresh token that travels in a cookie is blank under its new name', async () => {
  const { request } = await startJwt({ REST_AUTH: { ANSWER_NAMES, ...COOKIES } })
  const { body } = await request.post('login/', ADA)
  expect(body).toMatchObject({ refresh_token: '' })
  expect(body).not.toHaveProperty('refresh')
})

test('the document names what is sent', async () => {
  const { request } = await startJwt({ REST_AUTH: { ANSWER_NAMES } })
  const { body } = await request.get('openapi.json')
  const { components } = body as { components: { schemas: Record<string, object> } }
  const { LoginAnswer, Refreshed } = components.schemas
  expect(LoginAnswer).toHaveProperty('anyOf.1.properties.refresh_token')
  expect(LoginAnswer).toHaveProperty('anyOf.1.properties.me.examples.0.username', 'ada')
  expect(LoginAnswer).not.toHaveProperty('anyOf.1.properties.refresh')
  expect(Refreshed).toHaveProperty('properties.access_token')
  expect(body).toHaveProperty(
    ['paths', '/token/refresh/', 'post', 'requestBody', 'content', 'application/json', 'schema'],
    expect.objectContaining({
      properties: { refresh_token: expect.anything(), refresh: expect.anything() },
    }),
  )
})

test('who is signed in is asked as ever', async () => {
  const { request } = await startJwt({ REST_AUTH: { ANSWER_NAMES } })
  const { body } = await request.post('login/', ADA)
  const { access_token } = body as { access_token: string }
  expect(await request.get('user/', bearer(access_token))).toMatchReply(200, USER)
})
