import { describe, expect, test } from 'vitest'
import { MINUTE } from '../../../src/kernel/clock.ts'
import { KEY, NOT_FOUND } from '../../support/answers.ts'
import { ADA, BY_CODE, codesIn, EXPIRED, startWithCodes, WRONG } from '../../support/codes.ts'
import { countRows, dump } from '../../support/dump.ts'
import { codeOf, createUserWithMfa, DEAD_TOKEN, MFA_REQUIRED, verify } from '../../support/mfa.ts'
import { callerOf, modes, startMode } from '../../support/modes.ts'
import { startAuth } from '../../support/start-auth.ts'

describe.each(modes)('by %s', (mode) => {
  test('a code from a mail logs in as a password does', async () => {
    const auth = await startMode(mode, { ACCOUNT: BY_CODE })
    const { begin } = codesIn(auth)
    const browser = auth.newBrowser()
    const byCode = await browser.post('login/code/confirm/', await begin())
    const byPassword = await auth.logIn()
    expect(byCode.status).toBe(byPassword.reply.status)
    expect(Object.keys((byCode.body ?? {}) as object)).toEqual(
      Object.keys((byPassword.reply.body ?? {}) as object),
    )
    expect(byCode.cookies.map(({ name }) => name)).toEqual(
      byPassword.reply.cookies.map(({ name }) => name),
    )
    expect(await callerOf(browser, byCode).get('user/')).toMatchObject({
      status: 200,
      body: { username: 'ada' },
    })
  })
})

test('both paths are 404 where it is off, as it is by default', async () => {
  const { request, createUser, db } = await startAuth()
  await createUser({ username: 'ada', email: ADA, verified: true })
  expect(await request.post('login/code/', { email: ADA })).toMatchReply(404, NOT_FOUND)
  expect(await request.post('login/code/confirm/', {})).toMatchReply(404, NOT_FOUND)
  expect(await countRows(db, 'outbox')).toBe(0)
})

test.each([
  [{ email: 'ADA@Example.com' }],
  [{ username: 'Ada' }],
  [{ username: ADA }],
  [{ username: 'nobody', email: ADA }],
])('%j names the account', async (given) => {
  const { ask, codeTo, confirm } = await startWithCodes()
  const session_id = await ask(given)
  expect(await confirm({ session_id, code: await codeTo() })).toMatchReply(200, KEY)
})

test.each([
  [{}, 'Must include either "username" or "email".'],
  [{ LOGIN_METHODS: 'email' }, 'Must include "email".'],
  [{ LOGIN_METHODS: 'username' }, 'Must include "username".'],
])('with %j a name is asked for in the words of login', async (ACCOUNT, words) => {
  const { request, db } = await startWithCodes({ ACCOUNT })
  for (const body of [{}, { username: '', email: '' }]) {
    const reply = await request.post('login/code/', body)
    expect(reply).toMatchReply(400, { non_field_errors: [words] })
  }
  expect(await countRows(db, 'login_codes')).toBe(0)
})

test('the mail has a code of six digits, and no other word that somebody chose', async () => {
  const { begin, mail } = await startWithCodes()
  await begin()
  const [letter, ...others] = await mail.letters()
  expect(others).toEqual([])
  expect(letter).toEqual({
    to: ADA,
    template: 'login-code',
    values: { code: expect.stringMatching(/^\d{3} \d{3}$/) },
  })
})

test.each([
  ['without a gap', (code: string) => code.replace(' ', '')],
  ['with gaps', (code: string) => ` ${[...code].join(' ')} `],
])('the code is taken %s', async (_, typed) => {
  const { begin, confirm } = await startWithCodes()
  const { session_id, code } = await begin()
  expect(await confirm({ session_id, code: typed(code) })).toMatchReply(200, KEY)
})

test('the session is taken in capitals, too', async () => {
  const { begin, confirm } = await startWithCodes()
  const { session_id, code } = await begin()
  expect((await confirm({ session_id: session_id.toUpperCase(), code })).status).toBe(200)
})

test('a code works once', async () => {
  const { begin, confirm, db } = await startWithCodes()
  const begun = await begin()
  expect(await confirm(begun)).toMatchReply(200, KEY)
  expect(await confirm(begun)).toMatchReply(400, EXPIRED)
  expect(await countRows(db, 'logins')).toBe(1)
})

test('a code is good for its own session only', async () => {
  const { begin, confirm } = await startWithCodes()
  const first = await begin()
  const second = await begin()
  expect(first.session_id).not.toBe(second.session_id)
  const mixed = await confirm({ session_id: first.session_id, code: second.code })
  // Both may happen to be the same, once in a million.
  if (first.code !== second.code) expect(mixed).toMatchReply(400, WRONG)
  expect(await confirm(second)).toMatchReply(200, KEY)
})

test('it is the first half of a login for users with MFA', async () => {
  const auth = await startAuth({ ACCOUNT: BY_CODE })
  const { begin, confirm } = codesIn(auth)
  const { secret } = await createUserWithMfa(auth, 'ada')
  const reply = await confirm(await begin())
  expect(reply).toMatchReply(200, MFA_REQUIRED)
  expect(reply.cookies).toEqual([])
  const { ephemeral_token } = reply.body as { ephemeral_token: string }
  expect(await verify(auth, ephemeral_token, codeOf(auth, secret))).toMatchReply(200, KEY)
})

test('a change of the address between the two halves ends the login', async () => {
  const auth = await startAuth({ ACCOUNT: BY_CODE })
  const { begin, confirm } = codesIn(auth)
  const { secret } = await createUserWithMfa(auth, 'ada')
  const { ephemeral_token } = (await confirm(await begin())).body as { ephemeral_token: string }
  const address = { email: 'new@example.com', verified: true }
  await auth.administration.set(await auth.findUser('ada'), { address })
  const reply = await verify(auth, ephemeral_token, codeOf(auth, secret))
  expect(reply).toMatchReply(400, DEAD_TOKEN)
})

test('it updates last_login, and is counted and on record', async () => {
  const { begin, confirm, findUser, clock, auth, administration } = await startWithCodes()
  await confirm(await begin())
  const { id, last_login_at } = await findUser('ada')
  expect(last_login_at).toBe(clock.now())
  expect(await auth.metrics.text()).toContain('latchkey_logins_total{outcome="success"} 1')
  expect((await administration.history(id)).map(({ event }) => event)).toEqual(['login_by_code'])
})

test('a foreign page can log nobody in', async () => {
  const { begin, confirm, db } = await startWithCodes()
  const begun = await begin()
  const reply = await confirm(begun, { headers: { origin: 'https://evil.example' } })
  expect(reply.status).toBe(403)
  expect(await countRows(db, 'logins')).toBe(0)
  expect((await confirm(begun)).status).toBe(200)
})

test('the database holds neither code nor session', async () => {
  const { begin, db } = await startWithCodes()
  const { session_id, code } = await begin()
  const values = await dump(db)
  const bare = code.replace(' ', '')
  expect(values.filter((value) => value.includes(session_id) || value === bare)).toEqual([])
  expect(values.filter((value) => value.includes(code))).toEqual([])
})

test('what has expired is swept', async () => {
  const { begin, clock, auth, db } = await startWithCodes()
  await begin()
  expect(await countRows(db, 'login_codes')).toBe(1)
  clock.advance(15 * MINUTE)
  await auth.sweep()
  expect(await countRows(db, 'login_codes')).toBe(0)
})
