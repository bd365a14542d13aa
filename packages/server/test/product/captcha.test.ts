import { expect, test } from 'vitest'
import { KEY, UNABLE } from '../support/answers.ts'
import { NOT_HUMAN, SOLVED, startCaptcha } from '../support/captcha.ts'
import { countRows } from '../support/dump.ts'
import { recordingHasher } from '../support/hashers.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

const MINUTE = 60_000

async function start(account: object = {}, more: Record<string, unknown> = {}) {
  const provider = await startCaptcha()
  const { work, hasher } = recordingHasher()
  const auth = await startAuth(
    { CAPTCHA: provider.settings(more), ACCOUNT: { LOGIN_BY_CODE_ENABLED: true, ...account } },
    { hasher },
  )
  const logIn = (username: string, password: string, captcha?: string, from = '127.0.0.1') =>
    auth.request.post('login/', { username, password, captcha }, { from })
  async function fail(name: string, times: number, from?: string) {
    for (let i = 0; i < times; i++) {
      expect(await logIn(name, 'wrong', undefined, from)).toMatchReply(400, UNABLE)
    }
  }
  return { ...auth, provider, work, logIn, fail }
}

const form = { username: 'ada', email: 'ada@example.com', password1: PASSWORD, password2: PASSWORD }
const guarded: [path: string, body: object][] = [
  ['registration/', form],
  ['passkeys/signup/begin/', { username: 'ada', email: 'ada@example.com' }],
  ['password/reset/', { email: 'grace@example.com' }],
  ['login/code/', { email: 'grace@example.com' }],
]

test.each(guarded)('%s does nothing before the captcha is right', async (path, body) => {
  const { request, createUser, mail, db, work, clock } = await start()
  await createUser({ username: 'grace', email: 'grace@example.com', verified: true })
  work.length = 0
  for (const captcha of [undefined, null, '', ' ', 'wrong', 'x'.repeat(16_385), 7, true, [], {}]) {
    clock.advance(MINUTE)
    for (const sent of [body, {}, { ...body, email: 'no address' }]) {
      expect(await request.post(path, { ...sent, captcha })).toMatchReply(400, NOT_HUMAN)
    }
  }
  expect(await mail.letters()).toEqual([])
  expect(await countRows(db, 'users')).toBe(1)
  expect(work).toEqual([])
  expect((await request.post(path, { ...body, captcha: SOLVED })).status).toBeLessThan(300)
})

test('the fields are checked after it, in the same request', async () => {
  const { request } = await start()
  expect(await request.post('password/reset/', { captcha: SOLVED })).toMatchReply(400, {
    email: ['This field is required.'],
  })
})

test.each(['ada', 'nobody'])('after three failures a login of %s needs a captcha', async (name) => {
  const { createUser, logIn, fail, work, clock } = await start()
  await createUser({ username: 'ada' })
  await fail(name, 3)
  work.length = 0
  for (const from of ['127.0.0.1', '192.0.2.7']) {
    expect(await logIn(name, PASSWORD, undefined, from)).toMatchReply(400, NOT_HUMAN)
    expect(await logIn(name, PASSWORD, 'wrong', from)).toMatchReply(400, NOT_HUMAN)
  }
  expect(work).toEqual([])
  expect(await logIn(name, 'wrong', SOLVED)).toMatchReply(400, UNABLE)
  // Refusals for want of a captcha do not count as failures.
  for (let i = 0; i < 10; i++) await logIn(name, 'wrong', 'wrong')
  clock.advance(5 * MINUTE)
  expect(await logIn(name, 'wrong', undefined, '192.0.2.7')).toMatchReply(400, UNABLE)
})

test('failures of either user with a name count', async () => {
  const { createUser, logIn, fail } = await start()
  await createUser({ username: 'bob@example.com', email: 'bob@work.example' })
  await createUser({ username: 'mallory', email: 'bob@example.com', password: 'another' })
  await fail('bob@work.example', 3)
  const reply = await logIn('bob@example.com', PASSWORD, undefined, '192.0.2.7')
  expect(reply).toMatchReply(400, NOT_HUMAN)
})

test('a login with a captcha ends the questions for the account, not for the address', async () => {
  const { createUser, logIn, fail } = await start()
  await createUser({ username: 'ada' })
  await fail('ada', 3)
  expect(await logIn('ada', PASSWORD, SOLVED)).toMatchReply(200, KEY)
  expect(await logIn('ada', PASSWORD, undefined, '192.0.2.7')).toMatchReply(200, KEY)
  expect(await logIn('ada', PASSWORD)).toMatchReply(400, NOT_HUMAN)
})

test('three failures with three names from one address need a captcha, too', async () => {
  const { createUser, logIn, fail, provider } = await start()
  await createUser({ username: 'ada' })
  for (const name of ['ada', 'bob', 'eve']) await fail(name, 1)
  expect(provider.heard).toEqual([])
  expect(await logIn('grace', 'wrong')).toMatchReply(400, NOT_HUMAN)
  expect(await logIn('', 'wrong')).toMatchReply(400, NOT_HUMAN)
  expect(await logIn('ada', PASSWORD, undefined, '192.0.2.7')).toMatchReply(200, KEY)
})

test('a captcha does not lift the limit of failed logins', async () => {
  const { logIn, fail } = await start({ RATE_LIMITS: { login_failed: '2/5m/key' } })
  await fail('ada', 2)
  expect(await logIn('ada', 'wrong')).toMatchReply(400, NOT_HUMAN)
  expect(await logIn('ada', 'wrong', SOLVED)).toBeThrottled(300)
})

test('only what is named needs one', async () => {
  const { request, logIn, fail, provider } = await start({}, { ON: ['code'] })
  await fail('ada', 5)
  expect((await request.post('registration/', form)).status).toBe(201)
  expect((await request.post('password/reset/', { email: form.email })).status).toBe(200)
  expect(await logIn('ada', PASSWORD)).toMatchReply(200, KEY)
  expect(await request.post('login/code/', { username: 'ada' })).toMatchReply(400, NOT_HUMAN)
  expect(provider.heard).toEqual([])
})
