import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { KEEP_SPENT } from '../../../src/kernel/clock.ts'
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

/** Made by djangorestframework-simplejwt 5.2.2 with the secret of these tests, for user 1. */
const file = new URL('simplejwt-tokens.json', import.meta.url)
const simplejwt: Record<'HS256' | 'RS256' | 'ES256', Pair & { publicKey: string }> = JSON.parse(
  readFileSync(file, 'utf8'),
)
const { access, refresh: foreign } = simplejwt.HS256
const BLACKLISTED = notValid('Token is blacklisted')

test('tokens of simplejwt with the same secret are valid', async () => {
  const { getUser, refresh, request } = await startJwt()
  expect((await getUser(access)).body).toMatchObject({ username: 'ada' })
  for (const token of [access, foreign]) {
    expect(await request.post('token/verify/', { token })).toMatchReply(200, {})
  }
  const reply = await refresh(foreign)
  expect(reply).toMatchReply(200, { access: expect.any(String) })
  expect((await getUser((reply.body as Pair).access)).status).toBe(200)
})

test.each(['RS256', 'ES256'] as const)('those with %s by their public key', async (ALGORITHM) => {
  const { getUser } = await startJwt({
    SIMPLE_JWT: {
      ALGORITHM,
      SIGNING_KEY: pems[ALGORITHM]().privatePem,
      VERIFYING_KEY: simplejwt[ALGORITHM].publicKey,
    },
  })
  expect((await getUser(simplejwt[ALGORITHM].access)).status).toBe(200)
  expect(await getUser(access)).toMatchReply(...badBearer('Token is invalid'))
})

test('a logout blacklists such a token until it expires', async () => {
  const { request, refresh, clock, auth, db } = await startJwt()
  const logout = () => request.post('logout/', { refresh: foreign })
  expect(await logout()).toMatchReply(200, { detail: 'Successfully logged out.' })
  expect(await refresh(foreign)).toMatchReply(...BLACKLISTED)
  expect(await request.post('token/verify/', { token: foreign })).toMatchReply(...BLACKLISTED)
  expect(await logout()).toMatchReply(401, { detail: 'Token is blacklisted' })
  expect(await countRows(db, 'spent_refresh_tokens')).toBe(1)
  clock.advance(86_400_000 + KEEP_SPENT)
  await auth.sweep()
  expect(await countRows(db, 'spent_refresh_tokens')).toBe(0)
})

test('after a logout such a token is not rotated either', async () => {
  const { request, refresh, db } = await startJwt({ SIMPLE_JWT: { ROTATE_REFRESH_TOKENS: true } })
  await request.post('logout/', { refresh: foreign })
  expect(await refresh(foreign)).toMatchReply(...BLACKLISTED)
  expect(await countRows(db, 'logins')).toBe(0)
})

test('such a token is refused at a logout after a revocation, and after its user is gone', async () => {
  const { request, administration, ada } = await startJwt()
  const refused = async () => {
    const reply = await request.post('logout/', { refresh: foreign })
    expect(reply).toMatchReply(401, { detail: 'Token is blacklisted' })
    const verified = await request.post('token/verify/', { token: foreign })
    expect(verified).toMatchReply(...BLACKLISTED)
  }
  await administration.revoke(ada)
  await refused()
  await administration.remove(ada)
  await refused()
})

test('by rotation it gets a login here, and its successors end with that', async () => {
  const { refresh, getUser, db } = await startJwt({ SIMPLE_JWT: ROTATING })
  const next = (await refresh(foreign)).body as Pair
  expect(decode(next.refresh).claims.sid).toBe(decode(next.access).claims.sid)
  expect((await getUser(next.access)).status).toBe(200)
  expect(await countRows(db, 'logins')).toBe(1)

  expect(await refresh(foreign)).toMatchReply(...BLACKLISTED)
  expect(await refresh(next.refresh)).toMatchReply(...BLACKLISTED)
  expect(await getUser(next.access)).toMatchReply(...badBearer('Token is invalid'))
  expect(await countRows(db, 'logins')).toBe(0)
})

test('of many parallel refreshes one gives it a login', async () => {
  const { refresh, db } = await startJwt({
    SIMPLE_JWT: { ...ROTATING, REFRESH_REUSE_GRACE: 10 },
  })
  const replies = await Promise.all(Array.from({ length: 16 }, () => refresh(foreign)))
  expect(new Set(replies.map(({ body }) => (body as Pair).refresh)).size).toBe(1)
  expect(await countRows(db, 'logins')).toBe(1)
})

test('a new password in the middle of many refreshes leaves none of their tokens good', async () => {
  const { refresh, getUser, administration, ada, db } = await startJwt({
    SIMPLE_JWT: { ROTATE_REFRESH_TOKENS: true },
  })
  const refreshes = Array.from({ length: 24 }, () => refresh(foreign))
  const [replies] = await Promise.all([
    Promise.all(refreshes),
    administration.setPassword(ada, 'the new password'),
  ])
  expect(replies.every(({ status }) => status === 200 || status === 401)).toBe(true)
  for (const { body } of replies.filter(({ status }) => status === 200)) {
    const pair = body as Pair
    expect(await getUser(pair.access)).toMatchReply(...badBearer('Token is invalid'))
    expect(await refresh(pair.refresh)).toMatchReply(...BLACKLISTED)
  }
  expect(await countRows(db, 'logins')).toBe(0)
})
