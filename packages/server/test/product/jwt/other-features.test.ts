import { expect, test } from 'vitest'
import { requestReset, STRONG } from '../../support/accounts.ts'
import { badBearer, bearer, COOKIES, notValid, type Pair, startJwt } from '../../support/jwt.ts'
import { challengeOf, codeOf, offerOf, verify } from '../../support/mfa.ts'

const JWT = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/)
const ENDED = badBearer('Token is invalid')
const BLACKLISTED = notValid('Token is blacklisted')
const NEW_PASSWORD = { new_password1: STRONG, new_password2: STRONG }
const EXPIRATIONS = { JWT_AUTH_RETURN_EXPIRATION: true }

test('a registration answers with the pair, its expirations and its cookies', async () => {
  const { request } = await startJwt({ REST_AUTH: { ...EXPIRATIONS, ...COOKIES } })
  const bob = { username: 'bob', email: 'bob@example.com', password1: STRONG, password2: STRONG }
  const reply = await request.post('registration/', bob)
  expect(reply).toMatchReply(201, {
    access: JWT,
    refresh: '',
    access_expiration: '2030-01-01T12:05:00.000Z',
    refresh_expiration: '2030-01-02T12:00:00.000Z',
    user: expect.objectContaining({ username: 'bob' }),
  })
  expect(reply.cookies.map(({ name }) => name)).toEqual(['jwt-auth', 'jwt-refresh'])
})

test('the second factor comes before any token, and then the pair', async () => {
  const started = await startJwt({ REST_AUTH: EXPIRATIONS })
  const { request, logIn, clock } = started
  const options = bearer((await logIn()).access)
  const { secret, activation_token } = await offerOf(started, options)
  const code = codeOf(started, secret)
  await request.post('mfa/totp/activate/', { activation_token, code }, options)
  clock.advance(60_000)

  const challenge = await challengeOf(started, 'ada')
  for (const path of ['token/verify/', 'token/refresh/'] as const) {
    const body = { token: challenge, refresh: challenge }
    expect(await request.post(path, body)).toMatchReply(...notValid('Token is invalid'))
  }
  const reply = await verify(started, challenge, codeOf(started, secret))
  expect(reply).toMatchReply(200, {
    access: JWT,
    refresh: JWT,
    access_expiration: expect.stringMatching(/Z$/),
    refresh_expiration: expect.stringMatching(/Z$/),
    user: expect.objectContaining({ username: 'ada' }),
  })
  expect((await started.getUser((reply.body as Pair).access)).status).toBe(200)
})

test('a new password leaves the family in use alone and ends the others', async () => {
  const { request, logIn, getUser, refresh } = await startJwt()
  const [used, other] = [await logIn(), await logIn()]
  const reply = await request.post('password/change/', NEW_PASSWORD, bearer(used.access))
  expect(reply.status).toBe(200)
  expect((await getUser(used.access)).status).toBe(200)
  expect((await refresh(used.refresh)).status).toBe(200)
  expect(await getUser(other.access)).toMatchReply(...ENDED)
  expect(await refresh(other.refresh)).toMatchReply(...BLACKLISTED)
})

test('where it logs out, it ends the family in use as well', async () => {
  const { request, logIn, getUser } = await startJwt({
    REST_AUTH: { LOGOUT_ON_PASSWORD_CHANGE: true },
  })
  const { access } = await logIn()
  await request.post('password/change/', NEW_PASSWORD, bearer(access))
  expect(await getUser(access)).toMatchReply(...ENDED)
})

test('a reset ends every family, and its token is no JSON Web Token', async () => {
  const started = await startJwt()
  const { request, logIn, getUser, refresh } = started
  const pair = await logIn()
  const { uid, token } = await requestReset(started, 'ada@example.com')
  expect(await refresh(token)).toMatchReply(...notValid('Token is invalid'))
  const confirm = (secret: string) =>
    request.post('password/reset/confirm/', { uid, token: secret, ...NEW_PASSWORD })
  for (const foreign of [pair.access, pair.refresh]) {
    expect(await confirm(foreign)).toMatchReply(400, { token: ['Invalid value'] })
  }
  expect((await confirm(token)).status).toBe(200)
  expect(await getUser(pair.access)).toMatchReply(...ENDED)
  expect(await refresh(pair.refresh)).toMatchReply(...BLACKLISTED)
})
