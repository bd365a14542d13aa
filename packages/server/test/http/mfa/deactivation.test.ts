import { expect, test } from 'vitest'
import { KEY, NOT_PROVIDED } from '../../support/answers.ts'
import { countRows } from '../../support/dump.ts'
import {
  activate,
  challengeOf,
  codeOf,
  createUserWithMfa,
  verify,
  WRONG_CODE,
  wrongCode,
} from '../../support/mfa.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const PATH = 'mfa/totp/deactivate/'
const DONE = { detail: 'TOTP has been deactivated.' }

test('it needs a login', async () => {
  const { request } = await startAuth()
  expect(await request.post(PATH, { code: '1' })).toMatchReply(401, NOT_PROVIDED)
})

test('it needs a code', async () => {
  const { request, createUserWithToken } = await startAuth()
  const token = await createUserWithToken('ada')
  const reply = await request.post(PATH, {}, { token })
  expect(reply).toMatchReply(400, { code: ['This field is required.'] })
})

test('what is off cannot be switched off', async () => {
  const { request, createUserWithToken } = await startAuth()
  const token = await createUserWithToken('ada')
  const reply = await request.post(PATH, { code: '1' }, { token })
  expect(reply).toMatchReply(400, { detail: 'MFA is not enabled.' })
})

test.each(['totp', 'recovery'])('a code switches MFA off: %s', async (kind) => {
  const auth = await startAuth()
  const { secret, codes, token } = await createUserWithMfa(auth, 'ada')
  const code = kind === 'totp' ? codeOf(auth, secret) : codes[0]
  expect(await auth.request.post(PATH, { code }, { token })).toMatchReply(200, DONE)
  expect(await auth.request.get('mfa/status/', { token })).toMatchReply(200, {
    mfa_enabled: false,
    created_at: null,
    last_used_at: null,
    recovery_codes_left: 0,
  })
  expect(await countRows(auth.db, 'recovery_codes')).toBe(0)
  const reply = await auth.request.post('login/', { username: 'ada', password: PASSWORD })
  expect(reply).toMatchReply(200, KEY)
})

test('a wrong code changes nothing', async () => {
  const auth = await startAuth()
  const { secret, token } = await createUserWithMfa(auth, 'ada')
  for (const code of [wrongCode(auth, secret), 'éé', '00000-00000']) {
    expect(await auth.request.post(PATH, { code }, { token })).toMatchReply(400, WRONG_CODE)
  }
  await challengeOf(auth, 'ada')
  expect(await auth.mail.templates()).toEqual(['mfa-activated'])
})

test('the other devices are logged out, the one in use is not, and the owner gets a mail', async () => {
  const auth = await startAuth()
  const { secret, codes, token } = await createUserWithMfa(auth, 'ada')
  const [laptop, phone] = [auth.newBrowser(), auth.newBrowser()]
  for (const [browser, code] of [
    [laptop, codes[0]],
    [phone, codes[1]],
  ] as const) {
    await browser.post('mfa/verify/', { ephemeral_token: await challengeOf(auth, 'ada'), code })
    expect((await browser.get('user/')).status).toBe(200)
  }
  const reply = await laptop.post(PATH, { code: codeOf(auth, secret) }, laptop.csrf())
  expect(reply).toMatchReply(200, DONE)
  expect((await laptop.get('user/')).status).toBe(200)
  expect((await phone.get('user/')).status).toBe(401)
  expect((await auth.request.get('user/', { token })).status).toBe(401)
  const letters = await auth.mail.letters()
  const notices = letters.filter(({ template }) => template === 'mfa-deactivated')
  expect(notices.map(({ to }) => to)).toEqual(['ada@example.com'])
})

test('a session cannot switch it off without its CSRF token', async () => {
  const auth = await startAuth()
  const { secret, codes } = await createUserWithMfa(auth, 'ada')
  const browser = auth.newBrowser()
  const ephemeral_token = await challengeOf(auth, 'ada')
  await browser.post('mfa/verify/', { ephemeral_token, code: codes[0] })
  expect((await browser.post(PATH, { code: codeOf(auth, secret) })).status).toBe(403)
})

test('after it MFA can be switched on again, with another secret', async () => {
  const auth = await startAuth()
  const before = await createUserWithMfa(auth, 'ada')
  await auth.request.post(PATH, { code: before.codes[0] }, { token: before.token })
  const after = await activate(auth, before.token)
  expect(after.secret).not.toBe(before.secret)
  const challenge = await challengeOf(auth, 'ada')
  expect(await verify(auth, challenge, before.codes[1])).toMatchReply(400, WRONG_CODE)
  expect(await verify(auth, challenge, codeOf(auth, before.secret))).toMatchReply(400, WRONG_CODE)
  expect(await verify(auth, challenge, codeOf(auth, after.secret))).toMatchReply(200, KEY)
})

test('the status tells when a code was last used, of either kind', async () => {
  const auth = await startAuth()
  const { secret, codes, token } = await createUserWithMfa(auth, 'ada')
  const status = async () => (await auth.request.get('mfa/status', { token })).body
  expect(await status()).toMatchObject({ last_used_at: null, recovery_codes_left: 10 })
  await verify(auth, await challengeOf(auth, 'ada'), codeOf(auth, secret))
  const first = new Date(auth.clock.now()).toISOString()
  expect(await status()).toMatchObject({ last_used_at: first, recovery_codes_left: 10 })
  auth.clock.advance(5000)
  await verify(auth, await challengeOf(auth, 'ada'), codes[0])
  const second = new Date(auth.clock.now()).toISOString()
  expect(await status()).toMatchObject({ last_used_at: second, recovery_codes_left: 9 })
})

test('the status needs a login', async () => {
  const { request } = await startAuth()
  expect(await request.get('mfa/status/')).toMatchReply(401, NOT_PROVIDED)
})
