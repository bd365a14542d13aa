import { expect, test } from 'vitest'
import { DAY, MINUTE } from '../../../src/kernel/clock.ts'
import { KEY } from '../../support/answers.ts'
import { fromClient } from '../../support/client.ts'
import { ADA, EXPIRED, otherThan, startWithCodes, WRONG } from '../../support/codes.ts'
import { countRows } from '../../support/dump.ts'
import { PASSWORD } from '../../support/start-auth.ts'

const UNLIMITED = { ACCOUNT: { RATE_LIMITS: { code_mail: 'none', login_failed: 'none' } } }

/** A stranger has asked for as many mails as Ada may get. */
async function startWithStranger() {
  const auth = await startWithCodes()
  const stranger = [await auth.begin(), await auth.begin(), await auth.begin()]
  const guessWrong = async () => {
    for (const { session_id, code } of stranger) {
      for (let n = 0; n < 3; n++) {
        expect(await auth.confirm({ session_id, code: otherThan(code) })).toMatchReply(400, WRONG)
      }
    }
  }
  const askAsOwner = () => auth.ask({ email: ADA }, fromClient(2))
  const codes = stranger.map(({ code }) => code)
  return { ...auth, stranger, codes, guessWrong, askAsOwner }
}

test('strangers use up the mails: each code that was mailed fits the session of the owner', async () => {
  const { askAsOwner, codes, confirm, mail, clock, stranger } = await startWithStranger()
  // No mail may go out until 15 minutes have passed, so the last ones are good until then.
  clock.advance(15 * MINUTE - 10)
  for (const code of codes) {
    const session_id = await askAsOwner()
    expect(await confirm({ session_id, code: otherThan(code) })).toMatchReply(400, WRONG)
    expect(await confirm({ session_id, code })).toMatchReply(200, KEY)
    expect(await confirm({ session_id, code })).toMatchReply(400, EXPIRED)
    const again = await askAsOwner()
    expect(await confirm({ session_id: again, code })).toMatchReply(400, WRONG)
  }
  expect(await mail.of('login-code')).toHaveLength(3)
  // The sessions of the stranger have ended with the usual lifetime.
  for (const begun of stranger) expect(await confirm(begun)).toMatchReply(400, EXPIRED)
})

test('strangers use up the tries, too: the owner gets a longer code, and then that one fits', async () => {
  const { guessWrong, askAsOwner, codeTo, codes, confirm, clock, mail } = await startWithStranger()
  await guessWrong()
  const [code = ''] = codes
  const first = await askAsOwner()
  expect(await confirm({ session_id: first, code: otherThan(code) })).toMatchReply(400, WRONG)
  clock.advance(5 * MINUTE)
  const second = await askAsOwner()
  expect(await confirm({ session_id: second, code })).toMatchReply(400, WRONG)
  expect(await confirm({ session_id: second, code: await codeTo() })).toMatchReply(200, KEY)
  for (let n = 0; n < 3; n++) await askAsOwner()
  expect(await mail.of('login-code')).toHaveLength(6)
  clock.advance(5 * MINUTE)
  const third = await askAsOwner()
  expect(await confirm({ session_id: third, code: await codeTo() })).toMatchReply(200, KEY)
  expect(await mail.of('login-code')).toHaveLength(6)
})

test('strangers cannot use up the mails of somebody who has not registered yet', async () => {
  const { ask, createUser, mail } = await startWithCodes()
  const BOB = 'bob@example.com'
  for (let n = 0; n < 4; n++) await ask({ email: BOB })
  await createUser({ username: 'bob', email: BOB })
  await ask({ email: BOB })
  expect(await mail.of('login-code')).toMatchObject([{ to: BOB }])
})

test('of parallel uses of one code in several sessions one succeeds', async () => {
  const { askAsOwner, codes, confirm, db } = await startWithStranger()
  const [code] = codes
  const sessions = [await askAsOwner(), await askAsOwner(), await askAsOwner(), await askAsOwner()]
  const replies = await Promise.all(sessions.map((session_id) => confirm({ session_id, code })))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await countRows(db, 'logins')).toBe(1)
})

test('a code that nobody was sent is none', async () => {
  const { askAsOwner, ask, createUser, db } = await startWithStranger()
  await createUser({ username: 'sol' })
  await askAsOwner()
  await ask({ username: 'sol' })
  await ask({ username: 'nobody' })
  const rows = await db.selectFrom('login_codes').select(['account', 'code_digest']).execute()
  // Three were mailed; the others hold no digest that a code could have.
  expect(rows.filter(({ code_digest }) => code_digest.length > 20)).toHaveLength(3)
  expect(rows).toHaveLength(6)
})

test('after ten wrong codes in a day six digits are no longer enough', async () => {
  const { begin, confirm, request, clock } = await startWithCodes(UNLIMITED)
  const before = await begin()
  for (const tries of [3, 3, 3, 1]) {
    const { session_id, code } = await begin()
    const guess = { session_id, code: otherThan(code) }
    for (let n = 0; n < tries; n++) expect(await confirm(guess)).toMatchReply(400, WRONG)
  }
  expect(await confirm(before)).toMatchReply(400, WRONG)
  // The password is not affected, nor is a code that nobody can guess.
  const login = await request.post('login/', { username: 'ada', password: PASSWORD })
  expect(login).toMatchReply(200, KEY)
  for (let n = 0; n < 2; n++) {
    const begun = await begin()
    expect(begun.code).toMatch(/^\d{3} \d{3} \d{3} \d{3}$/)
    expect(await confirm({ ...begun, code: otherThan(begun.code) })).toMatchReply(400, WRONG)
    expect(await confirm(begun)).toMatchReply(200, KEY)
  }
  clock.advance(DAY)
  const begun = await begin()
  expect(begun.code).toMatch(/^\d{3} \d{3}$/)
  expect(await confirm(begun)).toMatchReply(200, KEY)
})

test('parallel guesses in many sessions are ten together, and right codes do not count', async () => {
  const { begin, confirm, db } = await startWithCodes(UNLIMITED)
  for (let n = 0; n < 12; n++) expect(await confirm(await begin())).toMatchReply(200, KEY)
  const begun = []
  for (let n = 0; n < 14; n++) begun.push(await begin())
  const wrong = begun.map(({ session_id, code }) => ({ session_id, code: otherThan(code) }))
  await Promise.all(wrong.map((guess) => confirm(guess)))
  for (const right of begun) expect(await confirm(right)).toMatchReply(400, WRONG)
  expect(await countRows(db, 'logins')).toBe(12)
})
