import { afterAll, expect, test } from 'vitest'
import { countRows } from '../../support/dump.ts'
import {
  badBearer,
  decode,
  notValid,
  type Pair,
  pems,
  ROTATING,
  startJwt,
} from '../../support/jwt.ts'

const DAY = 86_400_000
const NONE = notValid('No valid refresh token found.')
const BLACKLISTED = notValid('Token is blacklisted')
const NO_ACCOUNT = [
  401,
  { detail: 'No active account found for the given token.', code: 'no_active_account' },
] as const
const JWT = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/)

test('a refresh gives a new access token of the same family, again and again', async () => {
  const { logIn, refresh, getUser } = await startJwt()
  const pair = await logIn()
  for (const _ of [1, 2]) {
    const reply = await refresh(pair.refresh)
    expect(reply).toMatchReply(200, { access: JWT })
    expect(reply.cookies).toEqual([])
    const { access } = reply.body as Pair
    expect(decode(access).claims.sid).toBe(decode(pair.access).claims.sid)
    expect((await getUser(access)).status).toBe(200)
  }
})

/** For requests that change nothing. */
const unmoved = await startJwt({}, { atTheEnd: afterAll })

test.each([{}, { refresh: '' }, { refresh: null }])('%j has no refresh token', async (body) => {
  const reply = await unmoved.request.post('token/refresh/', body)
  expect(reply).toMatchReply(...NONE)
  expect(reply.headers['www-authenticate']).toBe('Bearer realm="api"')
})

test.each([true, ['a'], { a: 1 }])('%j is not a refresh token, nor a text', async (refresh) => {
  const reply = await unmoved.request.post('token/refresh/', { refresh })
  expect(reply).toMatchReply(400, { refresh: ['Not a valid string.'] })
})

test('bad refresh tokens are refused, each by its name', async () => {
  const { logIn, refresh, clock } = await startJwt()
  const pair = await logIn()
  expect(await refresh('bad')).toMatchReply(...notValid('Token is invalid'))
  expect(await refresh(pair.access)).toMatchReply(...notValid('Token has wrong type'))
  clock.advance(DAY)
  expect(await refresh(pair.refresh)).toMatchReply(...notValid('Token is expired'))
})

test('nobody refreshes for a user who is inactive or gone', async () => {
  const { logIn, refresh, administration, ada } = await startJwt()
  const pair = await logIn()
  await administration.deactivate(ada)
  expect(await refresh(pair.refresh)).toMatchReply(...NO_ACCOUNT)
  await administration.activate(ada)
  expect(await refresh(pair.refresh)).toMatchReply(...BLACKLISTED)
  await administration.remove(ada)
  expect(await refresh(pair.refresh)).toMatchReply(...NO_ACCOUNT)
})

test('the answer has the expirations if the settings say so', async () => {
  const { logIn, refresh } = await startJwt({
    REST_AUTH: { JWT_AUTH_RETURN_EXPIRATION: true },
    SIMPLE_JWT: { ROTATE_REFRESH_TOKENS: true },
  })
  const answer = {
    access: JWT,
    refresh: JWT,
    access_expiration: '2030-01-01T12:05:00.000Z',
    refresh_expiration: '2030-01-02T12:00:00.000Z',
  }
  const reply = await refresh((await logIn()).refresh)
  expect(reply).toMatchReply(200, answer)
  expect(Object.keys(reply.body as object)).toEqual(Object.keys(answer))
})

test('rotation without the blacklist leaves the old token good', async () => {
  const { logIn, refresh } = await startJwt({ SIMPLE_JWT: { ROTATE_REFRESH_TOKENS: true } })
  const pair = await logIn()
  const first = (await refresh(pair.refresh)).body as Pair
  const second = (await refresh(pair.refresh)).body as Pair
  expect(new Set([pair.refresh, first.refresh, second.refresh]).size).toBe(3)
  expect((await refresh(first.refresh)).status).toBe(200)
  expect((await refresh(second.refresh)).status).toBe(200)
})

test('a rotated token that comes again ends the whole family, and no other', async () => {
  const { logIn, refresh, getUser, auth, ada } = await startJwt({ SIMPLE_JWT: ROTATING })
  const pair = await logIn()
  const other = await logIn()
  const next = (await refresh(pair.refresh)).body as Pair
  expect((await getUser(next.access)).status).toBe(200)

  expect(await refresh(pair.refresh)).toMatchReply(...BLACKLISTED)
  expect(await refresh(next.refresh)).toMatchReply(...BLACKLISTED)
  for (const access of [pair.access, next.access]) {
    expect(await getUser(access)).toMatchReply(...badBearer('Token is invalid'))
  }
  expect((await getUser(other.access)).status).toBe(200)
  expect((await refresh(other.refresh)).status).toBe(200)
  const events = await auth.services.audit.newestOfUser(ada.id, 10)
  expect(events.map(({ event }) => event)).toEqual(['refresh_token_reused'])
})

test('where the blacklist is off, rotation spends nothing', async () => {
  const { logIn, refresh, db } = await startJwt({
    SIMPLE_JWT: { ...ROTATING, TOKEN_BLACKLIST_ENABLED: false },
  })
  const pair = await logIn()
  for (const _ of [1, 2]) expect((await refresh(pair.refresh)).status).toBe(200)
  expect(await countRows(db, 'spent_refresh_tokens')).toBe(0)
})

test.each(['HS256', 'RS256', 'ES256', 'EdDSA'] as const)(
  'within the grace the very same successor is given again, with %s',
  async (ALGORITHM) => {
    const SIGNING_KEY = ALGORITHM === 'HS256' ? null : pems[ALGORITHM]().privatePem
    const { logIn, refresh, clock, getUser } = await startJwt({
      SIMPLE_JWT: { ...ROTATING, REFRESH_REUSE_GRACE: 10, ALGORITHM, SIGNING_KEY },
    })
    const pair = await logIn()
    const first = (await refresh(pair.refresh)).body as Pair
    clock.advance(10_000 - 1)
    const again = (await refresh(pair.refresh)).body as Pair
    expect(again.refresh).toBe(first.refresh)
    expect((await getUser(again.access)).status).toBe(200)

    clock.advance(1)
    expect(await refresh(pair.refresh)).toMatchReply(...BLACKLISTED)
    expect(await refresh(first.refresh)).toMatchReply(...BLACKLISTED)
  },
)

test('the grace gives nothing once the family was logged out', async () => {
  const { logIn, refresh, request } = await startJwt({
    SIMPLE_JWT: { ...ROTATING, REFRESH_REUSE_GRACE: 10 },
  })
  const pair = await logIn()
  const next = (await refresh(pair.refresh)).body as Pair
  await request.post('logout/', { refresh: next.refresh })
  expect(await refresh(pair.refresh)).toMatchReply(...BLACKLISTED)
})

test('a family that is refreshed again and again still ends thirty days after its login', async () => {
  const { logIn, refresh, clock, auth, db } = await startJwt({ SIMPLE_JWT: ROTATING })
  let { refresh: token } = await logIn()
  const start = Math.floor(clock.now() / 1000)
  for (let day = 0; day < 29; day++) {
    clock.advance(DAY - 1000)
    const reply = await refresh(token)
    expect(reply.status).toBe(200)
    token = (reply.body as Pair).refresh
  }
  clock.advance(DAY - 1000)
  token = ((await refresh(token)).body as Pair).refresh
  expect(decode(token).claims.exp).toBe(start + 30 * 86_400)
  clock.advance(30_000)
  expect(await refresh(token)).toMatchReply(...notValid('Token is expired'))

  clock.advance(DAY)
  await auth.sweep()
  expect(await countRows(db, 'spent_refresh_tokens')).toBe(0)
  expect(await countRows(db, 'logins')).toBe(0)
})

test('the sweep leaves a family alone that still has a token to refresh with', async () => {
  const { logIn, refresh, getUser, clock, auth } = await startJwt({ SIMPLE_JWT: ROTATING })
  const pair = await logIn()
  clock.advance(DAY - 1000)
  const next = (await refresh(pair.refresh)).body as Pair
  clock.advance(DAY - 1000)
  await auth.sweep()
  const last = (await refresh(next.refresh)).body as Pair
  expect((await getUser(last.access)).status).toBe(200)
})
