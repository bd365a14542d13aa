import { expect, test } from 'vitest'
import { lastIdOf, setLastId } from '../../../src/storage/reserve-ids.ts'
import { transaction } from '../../../src/storage/transaction.ts'
import {
  badBearer,
  COOKIES,
  decode,
  notValid,
  type Pair,
  ROTATING,
  startJwt,
} from '../../support/jwt.ts'
import { PASSWORD } from '../../support/start-auth.ts'

type Started = Awaited<ReturnType<typeof startJwt>>

/** Returns a function that takes the database back, as a restored backup of this moment would. */
async function backUp({ handle, db }: Started) {
  const users = await lastIdOf(handle, 'users')
  const logins = await lastIdOf(handle, 'logins')
  return async () => {
    await db.deleteFrom('logins').where('id', '>', logins).execute()
    await db.deleteFrom('users').where('id', '>', users).execute()
    await transaction(handle, async (tx) => {
      await setLastId(tx, 'users', users)
      await setLastId(tx, 'logins', logins)
    })
  }
}

/** The victim gets the numbers that Mallory and her login had before the restore. */
async function restoreBetween(settings: Parameters<typeof startJwt>[0] = {}) {
  const started = await startJwt(settings)
  const { createUser, newBrowser, clock } = started
  const restore = await backUp(started)
  await createUser({ username: 'mallory' })
  const mallory = newBrowser()
  const reply = await mallory.post('login/', { username: 'mallory', password: PASSWORD })
  const lost = reply.body as Pair
  await restore()
  clock.advance(7000)
  const victim = await createUser({ username: 'victim' })
  return { ...started, mallory, lost, victim }
}

test('a token of the lost time does not open the account that has its numbers now', async () => {
  const { lost, victim, logIn, getUser, refresh, request, db } = await restoreBetween()
  const { access, refresh: kept } = await logIn('victim')
  const { user_id, sid } = decode(lost.access).claims
  expect([user_id, sid]).toEqual([String(victim.id), decode(access).claims.sid])

  expect(await getUser(lost.access)).toMatchReply(...badBearer('Token is invalid'))
  const BLACKLISTED = notValid('Token is blacklisted')
  expect(await refresh(lost.refresh)).toMatchReply(...BLACKLISTED)
  expect(await request.post('token/verify/', { token: lost.refresh })).toMatchReply(...BLACKLISTED)
  const logout = await request.post('logout/', { refresh: lost.refresh })
  expect(logout).toMatchReply(401, { detail: 'Token is blacklisted' })
  expect((await getUser(access)).body).toMatchObject({ username: 'victim' })
  expect((await refresh(kept)).status).toBe(200)
  expect(await db.selectFrom('logins').select('user_id').execute()).toEqual([
    { user_id: victim.id },
  ])
})

test('nor does a login with its cookie end the login that has its number now', async () => {
  const { mallory, logIn, getUser } = await restoreBetween({ REST_AUTH: COOKIES })
  const { access } = await logIn('victim')
  expect(mallory.cookie('jwt-refresh')).not.toBe('')
  await mallory.post('login/', { username: 'ada', password: PASSWORD })
  expect((await getUser(access)).body).toMatchObject({ username: 'victim' })
})

test('clocks of instances that differ by some seconds end no login', async () => {
  const { logIn, refresh, getUser, clock } = await startJwt({
    SIMPLE_JWT: { ...ROTATING, LEEWAY: '60s' },
  })
  clock.advance(999)
  const pair = await logIn()
  // The other instance is behind by as much as the leeway allows.
  clock.advance(-61_000)
  const { access, refresh: next } = (await refresh(pair.refresh)).body as Pair
  expect((await getUser(access)).status).toBe(200)
  expect((await refresh(next)).status).toBe(200)
})
