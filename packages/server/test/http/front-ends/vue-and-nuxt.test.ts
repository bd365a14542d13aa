import { expect, test } from 'vitest'
import { requestReset, STRONG, twice } from '../../support/accounts.ts'
import { LOGGED_OUT } from '../../support/answers.ts'
import { AXIOS, startForProject } from '../../support/front-end.ts'
import { bearer, type Pair } from '../../support/jwt.ts'
import { PASSWORD } from '../../support/start-auth.ts'

const SECRET_KEY = 'django-insecure-of-fifty-characters-as-django-made-it-x'
const options = { headers: AXIOS }
const ADA = { username: 'ada', password: PASSWORD }

test('a Vue store keeps the access token alone, and logs out without the other', async () => {
  const { request, createUser } = await startForProject(
    { SECRET_KEY, REST_AUTH: { USE_JWT: true, JWT_AUTH_HTTPONLY: false } },
    { AUTH_PREFIX: '/accounts/dj-rest-auth/' },
  )
  await createUser({ username: 'ada' })
  const { body } = await request.post('login/', ADA, options)
  const { access, refresh } = body as Pair
  expect((await request.get('user/', bearer(access))).body).toMatchObject({ username: 'ada' })
  expect(await request.post('logout/', undefined, bearer(access))).toMatchReply(200, LOGGED_OUT)
  expect((await request.get('user/', bearer(access))).status).toBe(401)
  expect((await request.post('token/refresh/', { refresh })).status).toBe(401)
})

test('a Nuxt module with keys reads the key, and then the name of the user', async () => {
  const { request, createUser } = await startForProject(
    { SECRET_KEY },
    { AUTH_PREFIX: '/panel/api/rest-auth/' },
  )
  await createUser({ username: 'ada' })
  const { body } = await request.post('login/', ADA, options)
  const { key } = body as { key: string }
  const headers = { ...AXIOS, authorization: `Token ${key}` }
  expect((await request.get('user/', { headers })).body).toHaveProperty('username', 'ada')
  expect(await request.post('logout/', undefined, { headers })).toMatchReply(200, LOGGED_OUT)
  expect((await request.get('user/', { headers })).status).toBe(401)
})

test('a Nuxt module that calls the access token "token", and announces it as JWT', async () => {
  const { request, createUser } = await startForProject(
    {
      SECRET_KEY,
      REST_AUTH: { USE_JWT: true },
      SIMPLE_JWT: { AUTH_HEADER_TYPES: ['JWT'], ACCESS_TOKEN_LIFETIME: 'P7DT00H00M00S' },
    },
    { AUTH_PREFIX: '/gyoza/rest-auth/', REST_AUTH: { ANSWER_NAMES: { access: 'token' } } },
  )
  await createUser({ username: 'ada' })
  const { body } = await request.post('login/', ADA, options)
  const { token } = body as { token: string }
  const announced = (word: string) => ({ headers: { authorization: `${word} ${token}` } })
  for (const word of ['JWT', 'jwt']) {
    expect((await request.get('user/', announced(word))).status, word).toBe(200)
  }
  const refused = await request.get('user/', announced('Bearer'))
  expect(refused).toMatchReply(401, { detail: 'Authentication credentials were not provided.' })
  expect(refused.headers['www-authenticate']).toBe('JWT realm="api"')
})

test('a Nuxt page that sends the uid and the token twice, in the path and in the body', async () => {
  const started = await startForProject({ SECRET_KEY }, { AUTH_PREFIX: '/users/' })
  await started.createUser({ username: 'ada', email: 'ada@example.com' })
  const { uid, token } = await requestReset(started, 'ada@example.com')
  const path = `password/reset/confirm/${uid}/${token}/`
  expect((await started.request.post(path, { ...twice(STRONG), uid, token }, options)).status).toBe(
    200,
  )
})
