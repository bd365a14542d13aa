import { expect, test } from 'vitest'
import { seatOf } from '../../../src/core/seats.ts'
import {
  endSession,
  findSession,
  listMailedCodes,
  putCodeIfFree,
  spendCode,
  takeTry,
} from '../../../src/features/codes/codes-queries.ts'
import type { Handle } from '../../../src/storage/handle.ts'
import type { LoginCode } from '../../../src/storage/schema.ts'
import { KEY } from '../../support/answers.ts'
import { ADA, EXPIRED, startWithCodes, WRONG } from '../../support/codes.ts'
import { startAuth } from '../../support/start-auth.ts'

const BOB = 'bob@example.com'
const NOW = 100

const CODE = {
  place: 1,
  session_digest: 'session',
  user_id: 1,
  account: 'ada',
  code_digest: 'code',
  tries_left: 1,
  session_until: NOW + 5,
  expires_at: NOW + 10,
}

/** The same seat belongs to one session after the other. */
const LATER = { ...CODE, session_digest: 'later session', code_digest: 'later code' }
const ELSEWHERE = { ...CODE, place: 2 }

/** Takes the seat from anybody. */
const take = (handle: Handle, code: LoginCode) =>
  putCodeIfFree(handle, code, Number.MAX_SAFE_INTEGER)

async function startWithRows() {
  const { handle, db } = await startAuth()
  const rows = () => db.selectFrom('login_codes').selectAll().orderBy('place').execute()
  return { handle, rows }
}

test('a seat is taken when it is free or has expired, or else only by force', async () => {
  const { handle, rows } = await startWithRows()
  expect(await putCodeIfFree(handle, CODE, NOW)).toBe(true)
  expect(await putCodeIfFree(handle, LATER, CODE.expires_at - 1)).toBe(false)
  expect(await rows()).toEqual([CODE])
  expect(await putCodeIfFree(handle, LATER, CODE.expires_at)).toBe(true)
  expect(await rows()).toEqual([LATER])
  expect(await take(handle, ELSEWHERE)).toBe(true)
  expect(await take(handle, CODE)).toBe(true)
  expect(await rows()).toEqual([CODE, ELSEWHERE])
})

test('whoever lost the seat neither tries, spends nor ends anything in it', async () => {
  const { handle, rows } = await startWithRows()
  await take(handle, LATER)
  await take(handle, ELSEWHERE)
  const { place, session_digest } = CODE
  expect(await findSession(handle, place, session_digest, NOW)).toBeUndefined()
  expect(await takeTry(handle, place, session_digest, NOW)).toBeUndefined()
  expect(await spendCode(handle, CODE, 'spent')).toBe(false)
  await endSession(handle, CODE)
  expect(await rows()).toEqual([LATER, ELSEWHERE])
})

test('whoever has it does so there and nowhere else', async () => {
  const { handle, rows } = await startWithRows()
  await take(handle, CODE)
  await take(handle, ELSEWHERE)
  await endSession(handle, ELSEWHERE)
  expect(await rows()).toEqual([CODE, { ...ELSEWHERE, tries_left: 0 }])
  expect(await spendCode(handle, ELSEWHERE, 'spent')).toBe(true)
  expect(await spendCode(handle, ELSEWHERE, 'spent')).toBe(false)
  const spent = { ...ELSEWHERE, tries_left: 0, code_digest: 'spent' }
  expect(await rows()).toEqual([CODE, spent])
  const { session_digest } = CODE
  expect(await findSession(handle, 2, session_digest, NOW)).toBeUndefined()
  expect(await findSession(handle, 1, session_digest, NOW)).toEqual(CODE)
  expect(await takeTry(handle, 2, session_digest, NOW)).toBeUndefined()
  const tried = { ...CODE, tries_left: 0 }
  expect(await takeTry(handle, 1, session_digest, NOW)).toEqual(tried)
  expect(await rows()).toEqual([tried, spent])
})

test('a session ends with its time and with its tries', async () => {
  const { handle, rows } = await startWithRows()
  await take(handle, CODE)
  const { place, session_digest, session_until } = CODE
  for (const query of [findSession, takeTry]) {
    expect(await query(handle, place, session_digest, session_until)).toBeUndefined()
  }
  expect(await rows()).toEqual([CODE])
  expect(await takeTry(handle, place, session_digest, session_until - 1)).toBeDefined()
  for (const query of [findSession, takeTry]) {
    expect(await query(handle, place, session_digest, NOW)).toBeUndefined()
  }
})

test('the codes that were mailed to an account are its own, and last until they expire', async () => {
  const { handle } = await startWithRows()
  const newest = { ...CODE, place: 2, expires_at: NOW + 20 }
  const others = [
    { ...CODE, place: 3, account: 'bob', expires_at: NOW + 30 },
    { ...CODE, place: 4, code_digest: '', expires_at: NOW + 30 },
    { ...CODE, place: 5, expires_at: NOW },
  ]
  for (const one of [CODE, newest, ...others]) await take(handle, one)
  expect(await listMailedCodes(handle, 'ada', NOW, 3)).toEqual([newest, CODE])
  expect(await listMailedCodes(handle, 'ada', NOW, 1)).toEqual([newest])
})

test('a session that was only guessed by its seat is none', async () => {
  const { begin, confirm } = await startWithCodes()
  const { session_id, code } = await begin()
  const guessed = `${session_id.slice(0, 8)}${'0'.repeat(24)}`
  expect(seatOf(guessed)).toBe(seatOf(session_id))
  for (let n = 0; n < 4; n++) {
    expect(await confirm({ session_id: guessed, code })).toMatchReply(400, EXPIRED)
  }
  expect(await confirm({ session_id, code })).toMatchReply(200, KEY)
})

test('what others do leaves a code alone', async () => {
  const auth = await startWithCodes()
  await auth.createUser({ username: 'bob', email: BOB, verified: true })
  const adas = await auth.begin(ADA)
  const bobs = await auth.begin(BOB)
  for (let n = 0; n < 3; n++) {
    const wrong = { session_id: bobs.session_id, code: 'wrong' }
    expect(await auth.confirm(wrong)).toMatchReply(400, WRONG)
  }
  expect(await auth.confirm(await auth.begin(BOB))).toMatchReply(200, KEY)
  await auth.administration.remove(await auth.findUser('bob'))
  expect(await auth.confirm(adas)).toMatchReply(200, KEY)
})
