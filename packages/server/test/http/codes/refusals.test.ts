import { expect, test } from 'vitest'
import { MINUTE } from '../../../src/kernel/clock.ts'
import { KEY, UNABLE } from '../../support/answers.ts'
import { ADA, EXPIRED, otherThan, startWithCodes, WRONG } from '../../support/codes.ts'
import { countRows } from '../../support/dump.ts'
import { PASSWORD } from '../../support/start-auth.ts'

const REQUIRED = ['This field is required.']
const PATTERN = ['This value does not match the required pattern.']

test('three tries: wrong ones are told so, and then even the right code comes too late', async () => {
  const { begin, confirm, db } = await startWithCodes()
  const { session_id, code } = await begin()
  for (let n = 0; n < 3; n++) {
    expect(await confirm({ session_id, code: otherThan(code) })).toMatchReply(400, WRONG)
  }
  expect(await confirm({ session_id, code })).toMatchReply(400, EXPIRED)
  expect(await countRows(db, 'logins')).toBe(0)
})

test('the third try may be right', async () => {
  const { begin, confirm } = await startWithCodes()
  const { session_id, code } = await begin()
  for (let n = 0; n < 2; n++) await confirm({ session_id, code: otherThan(code) })
  expect(await confirm({ session_id, code })).toMatchReply(200, KEY)
})

test.each([
  ['by default five minutes', {}, 5 * MINUTE],
  ['as long as LOGIN_BY_CODE_TIMEOUT says', { LOGIN_BY_CODE_TIMEOUT: '90s' }, 90_000],
])('a code is good for %s', async (_, ACCOUNT, lifetime) => {
  const { begin, confirm, clock } = await startWithCodes({ ACCOUNT })
  const begun = await begin()
  clock.advance(lifetime - 1)
  const wrong = await confirm({ ...begun, code: otherThan(begun.code) })
  expect(wrong).toMatchReply(400, WRONG)
  clock.advance(1)
  expect(await confirm(begun)).toMatchReply(400, EXPIRED)
})

test.each([
  [{}, { session_id: REQUIRED, code: REQUIRED }],
  [{ session_id: 'x', code: '123456' }, { session_id: PATTERN }],
  [
    { session_id: 'g'.repeat(32), code: '' },
    {
      session_id: PATTERN,
      code: ['This field may not be blank.'],
    },
  ],
  [
    { session_id: '0'.repeat(5000), code: 'x'.repeat(65) },
    {
      session_id: PATTERN,
      code: ['Ensure this field has no more than 64 characters.'],
    },
  ],
  [
    { session_id: null, code: ['1'] },
    {
      session_id: ['This field may not be null.'],
      code: ['Not a valid string.'],
    },
  ],
  [{ session_id: '0'.repeat(32), code: '123456' }, EXPIRED],
])('%j is refused', async (body, errors) => {
  const { confirm } = await startWithCodes()
  expect(await confirm(body)).toMatchReply(400, errors)
})

test.each(['12345', '1234567', '１２３４５６', '1e5', '-12345', 'abcdef', '12 34\u0000'])(
  'the code %j is a wrong one at most',
  async (code) => {
    const { begin, confirm, db } = await startWithCodes()
    const { session_id } = await begin()
    expect((await confirm({ session_id, code })).status).toBe(400)
    expect(await countRows(db, 'logins')).toBe(0)
  },
)

test.each([
  ['a known account', { email: ADA }],
  ['an unknown one', { email: 'nobody@example.com' }],
])('wrong codes of %s count as failed logins', async (_, given) => {
  const { ask, confirm, request, auth } = await startWithCodes({
    ACCOUNT: { RATE_LIMITS: { code_mail: 'none' } },
  })
  const tryWrong = async (times: number) => {
    const session_id = await ask(given)
    for (let n = 0; n < times; n++) {
      expect(await confirm({ session_id, code: 'wrong' })).toMatchReply(400, WRONG)
    }
    return session_id
  }
  for (const times of [3, 3, 3]) await tryWrong(times)
  const session_id = await tryWrong(1)
  expect(await confirm({ session_id, code: 'wrong' })).toBeThrottled(300)
  expect(await request.post('login/', { ...given, password: PASSWORD })).toBeThrottled(300)
  expect(await auth.metrics.text()).toContain('latchkey_logins_total{outcome="failure"} 10')
})

test('while the account is locked a right code is 429, and stays good for later', async () => {
  const { begin, confirm, request, clock } = await startWithCodes({
    ACCOUNT: { LOGIN_BY_CODE_TIMEOUT: '10m' },
  })
  const begun = await begin()
  for (let n = 0; n < 10; n++) {
    const reply = await request.post('login/', { username: 'ada', password: 'wrong' })
    expect(reply).toMatchReply(400, UNABLE)
  }
  for (let n = 0; n < 4; n++) expect(await confirm(begun)).toBeThrottled(300)
  clock.advance(5 * MINUTE)
  expect(await confirm(begun)).toMatchReply(200, KEY)
})

test('a success clears the count of the account', async () => {
  const { begin, confirm, request } = await startWithCodes()
  const fail = () => request.post('login/', { username: 'ada', password: 'wrong' })
  for (let n = 0; n < 9; n++) await fail()
  expect((await confirm(await begin())).status).toBe(200)
  for (let n = 0; n < 10; n++) expect(await fail()).toMatchReply(400, UNABLE)
})

test('three mails to one address in 15 minutes, by whatever name; more are dropped silently', async () => {
  const { ask, mail, clock } = await startWithCodes()
  for (const given of [{ email: ADA }, { username: 'ada' }, { username: ADA }, { email: ADA }]) {
    await ask(given)
  }
  expect(await mail.letters()).toHaveLength(3)
  clock.advance(15 * MINUTE)
  await ask()
  expect(await mail.letters()).toHaveLength(4)
})
