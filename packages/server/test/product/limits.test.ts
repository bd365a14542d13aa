import { expect, test } from 'vitest'
import type { Identity } from '../../src/core/identity.ts'
import {
  type Counted,
  createLimits,
  createMailLimits,
  createNoticeLimits,
  createRateLimit,
  createThrottle,
} from '../../src/features/limits/limits.ts'
import type { RatePer } from '../../src/settings/kinds/rates.ts'
import type { User } from '../../src/storage/schema.ts'
import { startAuth } from '../support/start-auth.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const ADA = { account: 'user:1', address: '192.0.2.1' }
const BOB = { account: 'user:2', address: '192.0.2.2' }
const per = (rate: RatePer['per'], count: number): RatePer => ({
  per: rate,
  count,
  windowMs: MINUTE,
})

async function startLimits() {
  const { auth, handle, clock, createUser } = await startAuth()
  const limits = createLimits({ db: handle, clock })
  return { limits, handle, clock, createUser, freeze: auth.connection.freeze }
}

test('a number is reached from its last hit until that leaves the window, by each rate', async () => {
  const { limits, clock } = await startLimits()
  const { count, hasReached } = createRateLimit(limits, 'login', [per('key', 5), per('ip', 3)])
  const elsewhere = { ...ADA, address: BOB.address }
  expect(await hasReached(2, ADA)).toBe(false)
  await count(ADA)
  expect(await hasReached(2, ADA)).toBe(false)
  await count(ADA)
  expect(await hasReached(2, ADA)).toBe(true)
  expect(await hasReached(2, elsewhere)).toBe(true)
  expect(await hasReached(2, { ...BOB, address: ADA.address })).toBe(true)
  expect(await hasReached(2, BOB)).toBe(false)
  // No rate lets four through from one address.
  await count(ADA)
  expect(await hasReached(4, ADA)).toBe(true)
  expect(await hasReached(4, elsewhere)).toBe(false)
  clock.advance(MINUTE - 1)
  expect(await hasReached(2, ADA)).toBe(true)
  clock.advance(1)
  expect(await hasReached(2, ADA)).toBe(false)
})

test('a window that is shorter than the difference of two clocks holds on both instances', async () => {
  const { handle, clock } = await startAuth()
  const behind = createLimits({ db: handle, clock })
  const ahead = createLimits({ db: handle, clock: { ...clock, now: () => clock.now() + 2000 } })
  const counted = { rule: 'codes', subject: 'ada', rate: { count: 2, windowMs: 1000 } }
  const taken: boolean[] = []
  for (const limits of [ahead, behind, ahead, behind, ahead, behind]) {
    taken.push(await limits.tryTake(counted))
  }
  expect(taken).toEqual([true, true, false, false, false, false])
  expect(await behind.isReached(counted)).toBe(true)
})

test('hits from before the clock was set back do not count, unless that is within a window', async () => {
  const { limits, clock } = await startLimits()
  const counted = { rule: 'codes', subject: 'ada', rate: { count: 2, windowMs: MINUTE } }
  const take = () => limits.tryTake(counted)
  clock.advance(365 * DAY)
  await limits.takeAll([counted])
  await limits.takeAll([counted])
  clock.advance(-365 * DAY)
  expect(await limits.isReached(counted)).toBe(false)
  expect([await take(), await take(), await take()]).toEqual([true, true, false])
  expect(await limits.isReached(counted)).toBe(true)

  clock.advance(-MINUTE)
  expect([await take(), await limits.isReached(counted)]).toEqual([false, true])
  clock.advance(-1)
  expect([await limits.isReached(counted), await take()]).toEqual([false, true])
})

test('a mail that one rate refuses is refused, even if another would let it pass', async () => {
  const { limits } = await startLimits()
  const { mayMail } = createMailLimits(limits, 'mail', [per('key', 1), per('key', 5)])
  expect(await mayMail('ada@example.com')).toBe(true)
  expect(await mayMail('ada@example.com')).toBe(false)
  expect(await mayMail('bob@example.com')).toBe(true)
})

test('a mail that one rate refuses does not count for another', async () => {
  const { limits, clock } = await startLimits()
  const hourly = { ...per('key', 2), windowMs: 60 * MINUTE }
  const { mayMail } = createMailLimits(limits, 'mail', [hourly, per('key', 1)])
  const ask = () => mayMail('ada@example.com')
  expect([await ask(), await ask(), await ask()]).toEqual([true, false, false])
  clock.advance(MINUTE)
  expect(await ask()).toBe(true)
})

test('a notice to an unproved address that one limit refuses does not count for the other', async () => {
  const { limits, handle, clock } = await startLimits()
  const notice_mail = [{ ...per('key', 2), windowMs: 1.5 * MINUTE }]
  const rates = { notice_mail, verify_mail: [per('key', 2)] }
  const { mayNotify } = createNoticeLimits(limits, 'notice', rates)
  const ada = { email: 'ada@example.com', email_verified: 0 } as User
  const ask = () => mayNotify(ada, handle)
  expect([await ask(), await ask()]).toEqual([true, true])
  clock.advance(MINUTE)
  expect([await ask(), await ask()]).toEqual([false, false])
  clock.advance(MINUTE / 2)
  expect(await ask()).toBe(true)
})

test('what is given back to one is not given back to others', async () => {
  const { limits } = await startLimits()
  const [mine, other] = ['ada', 'bob'].map((subject) => ({
    ...{ rule: 'codes', subject, rate: { count: 1, windowMs: MINUTE } },
  })) as [Counted, Counted]
  await limits.takeAll([mine])
  await limits.takeAll([other])
  await limits.giveBack(mine)
  expect([await limits.isReached(mine), await limits.isReached(other)]).toEqual([false, true])
})

test('an operator who uses an account does not use up the rate of its user', async () => {
  const { limits, createUser } = await startLimits()
  const throttle = createThrottle(limits, { count: 1, windowMs: MINUTE })
  const user = await createUser({ username: 'ada' })
  const own = { user } as unknown as Identity
  const lent = { ...own, restriction: { kind: 'impersonation' } } as unknown as Identity
  await throttle(lent, ADA.address)
  await throttle(own, ADA.address)
  await expect(throttle(own, BOB.address)).rejects.toMatchObject(THROTTLED)
  await expect(throttle(lent, ADA.address)).rejects.toMatchObject(THROTTLED)
  await throttle(lent, BOB.address)
})

test('while the database is frozen, a rate is checked and not counted', async () => {
  const { limits, freeze } = await startLimits()
  const throttle = createThrottle(limits, { count: 2, windowMs: MINUTE })
  await throttle(null, ADA.address)
  freeze.isOn = true
  for (const _ of [1, 2, 3]) await throttle(null, ADA.address)
  freeze.isOn = false
  await throttle(null, ADA.address)
  freeze.isOn = true
  await expect(throttle(null, ADA.address)).rejects.toMatchObject(THROTTLED)
  freeze.isOn = false
})

test('another fault of the database lets nobody through', async () => {
  const { limits } = await startLimits()
  const failing = { ...limits, takeAll: () => Promise.reject(new Error('gone')) }
  const throttle = createThrottle(failing, { count: 2, windowMs: MINUTE })
  await expect(throttle(null, ADA.address)).rejects.toThrow('gone')
})

const THROTTLED = { status: 429 }
