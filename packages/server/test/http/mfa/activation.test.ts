import { expect, test } from 'vitest'
import { KEY, NOT_PROVIDED } from '../../support/answers.ts'
import { countRows } from '../../support/dump.ts'
import {
  activate,
  challengeOf,
  codeOf,
  offerOf,
  RECOVERY_CODE,
  verify,
  WRONG_CODE,
  wrongCode,
} from '../../support/mfa.ts'
import { startAuth } from '../../support/start-auth.ts'

const PATH = 'mfa/totp/activate/'
const OFF = { mfa_enabled: false, created_at: null, last_used_at: null, recovery_codes_left: 0 }
const CHECK_YOUR_APP = {
  code: ['Invalid code. Please check your authenticator app and try again.'],
}
const DEAD_ACTIVATION = { activation_token: ['Invalid or expired activation token.'] }

test.each(['GET', 'POST'] as const)('%s needs a login', async (method) => {
  const { request } = await startAuth()
  expect(await request.call(method, PATH)).toMatchReply(401, NOT_PROVIDED)
})

test('an offer names the issuer and the account, and shows them as a QR code', async () => {
  const auth = await startAuth({ PUBLIC_URL: 'https://id.example.com' })
  const token = await auth.createUserWithToken('ada')
  const reply = await auth.request.get(PATH, { token })
  expect(reply).toMatchReply(200, {
    secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
    totp_url: expect.any(String),
    qr_code_data_uri: expect.stringMatching(/^data:image\/svg\+xml;base64,[A-Za-z0-9+/]+=*$/),
    activation_token: expect.stringMatching(/^[\w-]{43}$/),
  })
  const { secret, totp_url, qr_code_data_uri } = await offerOf(auth, { token })
  expect(totp_url).toBe(
    `otpauth://totp/id.example.com:ada%40example.com?secret=${secret}&issuer=id.example.com&algorithm=SHA1&digits=6&period=30`,
  )
  const svg = Buffer.from(qr_code_data_uri.split(',')[1] ?? '', 'base64').toString()
  expect(svg).toMatch(/^<svg [^>]*><rect [^>]*\/><path [^>]*\/><\/svg>$/)
})

test('nothing in a name can pass for another part of the address', async () => {
  const auth = await startAuth({ REST_AUTH: { MFA_TOTP_ISSUER: 'A&B: ?secret=AAAA#x/ä' } })
  await auth.createUser({ username: 'ad+a@b' })
  const browser = await auth.logInBrowser('ad+a@b')
  const { totp_url, secret } = (await browser.get(PATH)).body as Record<string, string>
  const url = new URL(totp_url ?? '')
  expect(url.searchParams.getAll('secret')).toEqual([secret])
  expect(url.searchParams.get('issuer')).toBe('A&B: ?secret=AAAA#x/ä')
  expect(url.hash).toBe('')
  expect(url.pathname.split(':').map(decodeURIComponent)).toEqual([
    '/A&B: ?secret=AAAA#x/ä',
    'ad+a@b',
  ])
})

test('the longest name that there is still fits into a QR code', async () => {
  const auth = await startAuth()
  const username = '𐌰'.repeat(150)
  await auth.createUser({ username })
  const browser = await auth.logInBrowser(username)
  expect((await browser.get(PATH)).status).toBe(200)
})

test('an offer changes nothing, and every offer is another one', async () => {
  const auth = await startAuth()
  const token = await auth.createUserWithToken('ada')
  const [first, second] = [await offerOf(auth, { token }), await offerOf(auth, { token })]
  expect(first.secret).not.toBe(second.secret)
  expect(first.activation_token).not.toBe(second.activation_token)
  expect(await auth.request.get('mfa/status/', { token })).toMatchReply(200, OFF)
})

test('the first code switches MFA on and gives ten recovery codes', async () => {
  const auth = await startAuth()
  const token = await auth.createUserWithToken('ada')
  const { secret, activation_token } = await offerOf(auth, { token })
  const code = codeOf(auth, secret)
  const reply = await auth.request.post(PATH, { activation_token, code }, { token })
  expect(reply).toMatchReply(200, {
    recovery_codes: Array(10).fill(expect.stringMatching(RECOVERY_CODE)),
  })
  expect(new Set((reply.body as { recovery_codes: string[] }).recovery_codes).size).toBe(10)
  expect(await auth.request.get('mfa/status/', { token })).toMatchReply(200, {
    mfa_enabled: true,
    created_at: '2030-01-01T12:00:00.000Z',
    last_used_at: null,
    recovery_codes_left: 10,
  })
})

test('the code that switched MFA on is spent, and so is every earlier one', async () => {
  const auth = await startAuth()
  const token = await auth.createUserWithToken('ada')
  const { secret, activation_token } = await offerOf(auth, { token })
  const code = codeOf(auth, secret)
  await auth.request.post(PATH, { activation_token, code }, { token })
  const challenge = await challengeOf(auth, 'ada')
  expect(await verify(auth, challenge, code)).toMatchReply(400, WRONG_CODE)
  expect(await verify(auth, challenge, codeOf(auth, secret, -1))).toMatchReply(400, WRONG_CODE)
  expect(await verify(auth, challenge, codeOf(auth, secret, 1))).toMatchReply(200, KEY)
})

test('an offer of earlier is as good as the latest, until one of them is taken', async () => {
  const auth = await startAuth()
  const token = await auth.createUserWithToken('ada')
  const [first, second] = [await offerOf(auth, { token }), await offerOf(auth, { token })]
  const take = ({ secret, activation_token }: typeof first) =>
    auth.request.post(PATH, { activation_token, code: codeOf(auth, secret) }, { token })
  expect((await take(first)).status).toBe(200)
  expect(await take(second)).toMatchReply(400, {
    detail: 'MFA is already enabled. Deactivate it before activating again.',
  })
  auth.clock.advance(60_000)
  const code = codeOf(auth, first.secret)
  await auth.request.post('mfa/totp/deactivate/', { code }, { token })
  expect(await take(first)).toMatchReply(400, DEAD_ACTIVATION)
  expect(await take(second)).toMatchReply(400, DEAD_ACTIVATION)
})

test('a wrong code changes nothing and leaves the offer good', async () => {
  const auth = await startAuth()
  const token = await auth.createUserWithToken('ada')
  const { secret, activation_token } = await offerOf(auth, { token })
  const post = (code: string) => auth.request.post(PATH, { activation_token, code }, { token })
  for (const code of [wrongCode(auth, secret), 'x', '１２３４５６', codeOf(auth, secret, -2)]) {
    expect(await post(code)).toMatchReply(400, CHECK_YOUR_APP)
  }
  expect(await auth.request.get('mfa/status/', { token })).toMatchReply(200, OFF)
  expect((await post(codeOf(auth, secret))).status).toBe(200)
})

test('an offer lasts 300 seconds and not one longer', async () => {
  const auth = await startAuth()
  const token = await auth.createUserWithToken('ada')
  const { secret, activation_token } = await offerOf(auth, { token })
  auth.clock.advance(300_000)
  const body = { activation_token, code: codeOf(auth, secret) }
  expect(await auth.request.post(PATH, body, { token })).toMatchReply(400, DEAD_ACTIVATION)
})

test("somebody else's offer is refused, and stays good for its owner", async () => {
  const auth = await startAuth()
  const ada = await auth.createUserWithToken('ada')
  const bob = await auth.createUserWithToken('bob')
  const { secret, activation_token } = await offerOf(auth, { token: ada })
  const body = { activation_token, code: codeOf(auth, secret) }
  expect(await auth.request.post(PATH, body, { token: bob })).toMatchReply(400, {
    activation_token: ['Invalid activation token for this user.'],
  })
  expect((await auth.request.post(PATH, body, { token: ada })).status).toBe(200)
})

test.each(['bad', 'x'.repeat(4096), '\u00e9', '../..'])('no token at all: %.12s', async (bad) => {
  const auth = await startAuth()
  const token = await auth.createUserWithToken('ada')
  const reply = await auth.request.post(PATH, { activation_token: bad, code: '000000' }, { token })
  expect(reply).toMatchReply(400, DEAD_ACTIVATION)
})

test('a challenge is no offer, and an offer no challenge', async () => {
  const auth = await startAuth()
  const ada = await auth.createUserWithToken('ada')
  const bob = await auth.createUserWithToken('bob')
  const { secret } = await activate(auth, ada)
  const challenge = await challengeOf(auth, 'ada')
  const post = (activation_token: string) =>
    auth.request.post(PATH, { activation_token, code: codeOf(auth, secret) }, { token: bob })
  expect(await post(challenge)).toMatchReply(400, DEAD_ACTIVATION)
  const { activation_token } = await offerOf(auth, { token: bob })
  expect(await verify(auth, activation_token, codeOf(auth, secret))).toMatchReply(400, {
    ephemeral_token: ['Invalid or expired token.'],
  })
  expect(await auth.request.get('user/', { token: challenge })).toMatchReply(401, {
    detail: 'Invalid token.',
  })
})

test('both fields are required, and both faults are reported', async () => {
  const auth = await startAuth()
  const token = await auth.createUserWithToken('ada')
  const missing = ['This field is required.']
  expect(await auth.request.post(PATH, {}, { token })).toMatchReply(400, {
    activation_token: missing,
    code: missing,
  })
})

test('a user who already has MFA gets that answer first', async () => {
  const auth = await startAuth()
  const token = await auth.createUserWithToken('ada')
  await activate(auth, token)
  const reply = await auth.request.post(PATH, { activation_token: 'x', code: 'x' }, { token })
  expect(reply).toMatchReply(400, {
    detail: 'MFA is already enabled. Deactivate it before activating again.',
  })
})

test('the other devices are logged out, the one in use is not, and the owner gets a mail', async () => {
  const auth = await startAuth()
  const token = await auth.createUserWithToken('ada')
  const [laptop, phone] = [await auth.logInBrowser('ada'), await auth.logInBrowser('ada')]
  const { secret, activation_token } = (await laptop.get(PATH)).body as Record<string, string>
  const body = { activation_token, code: codeOf(auth, secret ?? '') }
  expect((await laptop.post(PATH, body, laptop.csrf())).status).toBe(200)

  expect((await laptop.get('user/')).status).toBe(200)
  expect((await phone.get('user/')).status).toBe(401)
  expect((await auth.request.get('user/', { token })).status).toBe(401)
  expect(await auth.mail.letters()).toEqual([
    { to: 'ada@example.com', template: 'mfa-activated', values: { username: 'ada' } },
  ])
})

test('the key that switches MFA on stays valid, and sessions end', async () => {
  const auth = await startAuth()
  const token = await auth.createUserWithToken('ada')
  const phone = await auth.logInBrowser('ada')
  await activate(auth, token)
  expect((await auth.request.get('user/', { token })).status).toBe(200)
  expect((await phone.get('user/')).status).toBe(401)
  expect(await countRows(auth.db, 'logins')).toBe(0)
})
