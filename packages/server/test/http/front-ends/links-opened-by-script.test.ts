import { expect, test } from 'vitest'
import { requestReset, STRONG, signup, twice, verificationKey } from '../../support/accounts.ts'
import { startAuth } from '../../support/start-auth.ts'

const ADA = 'ada@example.com'
const OK = { detail: 'ok' }
const NOT_FOUND = { detail: 'Not found.' }
const DONE = { detail: 'Password has been reset with the new password.' }
const INVALID = ['Invalid value']

/** What the libraries of front ends send. */
const SCRIPTS = ['*/*', 'application/json', 'application/json, text/plain, */*', 'text/html;q=0']
const BROWSERS = ['text/html', 'text/html,application/xhtml+xml,*/*;q=0.8', 'TEXT/HTML;q=0.5']
const accepting = (accept: string) => ({ headers: { accept } })
const SCRIPT = accepting('application/json')
const BROWSER = accepting('text/html')
const isPage = ({ headers }: { headers: Record<string, unknown> }) =>
  String(headers['content-type']).startsWith('text/html')

async function startReset() {
  const started = await startAuth()
  await started.createUser({ username: 'ada', email: ADA, verified: true })
  const { uid, token } = await requestReset(started, ADA)
  const path = `password/reset/confirm/${uid}/${token}/`
  const logsIn = async () =>
    (await started.request.post('login/', { username: 'ada', password: STRONG })).status === 200
  return { ...started, uid, token, path, logsIn }
}

async function startConfirm(settings: object = {}) {
  const started = await startAuth(settings)
  await started.request.post('registration/', signup('ada'))
  const path = `registration/account-confirm-email/${await verificationKey(started, ADA)}/`
  const isVerified = async () => (await started.findUser('ada')).email_verified === 1
  return { ...started, path, isVerified }
}

test('a script can check the token any number of times', async () => {
  const { request, path, uid } = await startReset()
  for (const accept of [...SCRIPTS, 'application/json']) {
    expect(await request.get(path, accepting(accept))).toMatchReply(200, OK)
  }
  expect(await request.get(path.slice(0, -1), SCRIPT)).toMatchReply(200, OK)
  expect(await request.get(`password/reset/confirm/${uid}/x-y/`, SCRIPT)).toMatchReply(400, {
    token: INVALID,
  })
  expect(await request.get('password/reset/confirm/nobody/x-y/', SCRIPT)).toMatchReply(400, {
    uid: INVALID,
  })
})

test('a script chooses the password with the uid and the token of the path', async () => {
  const { request, path, logsIn } = await startReset()
  expect(await request.post(path, twice(STRONG), SCRIPT)).toMatchReply(200, DONE)
  expect(await logsIn()).toBe(true)
  expect(await request.post(path, twice(STRONG), SCRIPT)).toMatchReply(400, { token: INVALID })
  expect(await request.get(path, SCRIPT)).toMatchReply(400, { token: INVALID })
})

test('its faults are those of password/reset/confirm/, and do not use up the token', async () => {
  const { request, path, uid, logsIn } = await startReset()
  const required = ['This field is required.']
  expect(await request.post(path, {}, SCRIPT)).toMatchReply(400, {
    new_password1: required,
    new_password2: required,
  })
  expect(await request.post(path, [], SCRIPT)).toMatchReply(400, {
    non_field_errors: ['Invalid data. Expected a dictionary, but got list.'],
  })
  expect((await request.post(path, twice('12345'), SCRIPT)).body).toHaveProperty('new_password2')
  const other = { ...twice(STRONG), uid: 'x', token: 'y', __proto__: { uid: 'z' } }
  expect(
    await request.post(`password/reset/confirm/${uid}/x-y/`, twice(STRONG), SCRIPT),
  ).toMatchReply(400, { token: INVALID })
  expect(await logsIn()).toBe(false)
  // The path names the user, and other values in the body are ignored.
  expect(await request.post(path, other, SCRIPT)).toMatchReply(200, DONE)
})

test('browsers get the pages of the reset', async () => {
  const { request, path } = await startReset()
  for (const accept of BROWSERS)
    expect(await request.get(path, accepting(accept))).toSatisfy(isPage)
  expect(await request.get(path)).toSatisfy(isPage)
  const form = new URLSearchParams(twice('short')).toString()
  const type = 'application/x-www-form-urlencoded'
  const again = await request.post(path, form, { type, ...BROWSER })
  expect(again).toSatisfy(isPage)
  expect(again.status).toBe(400)
  const done = await request.post(path, new URLSearchParams(twice(STRONG)).toString(), {
    type,
    ...BROWSER,
  })
  expect(done).toSatisfy(isPage)
  expect(done.status).toBe(200)
})

test('a script confirms an address by POST, once, and not by GET', async () => {
  const { request, path, isVerified } = await startConfirm()
  for (const accept of SCRIPTS) {
    const refused = await request.get(path, accepting(accept))
    expect(refused).toMatchReply(405, { detail: 'Method "GET" not allowed.' })
    expect(refused.headers.allow).toBe('OPTIONS, POST')
  }
  expect(await isVerified()).toBe(false)
  expect(await request.post(path, {}, SCRIPT)).toMatchReply(200, OK)
  expect(await isVerified()).toBe(true)
  expect(await request.post(path)).toMatchReply(404, NOT_FOUND)
})

test('with CONFIRM_EMAIL_ON_GET a script confirms by GET, too', async () => {
  const settings = { ACCOUNT: { CONFIRM_EMAIL_ON_GET: true } }
  const { request, path, isVerified } = await startConfirm(settings)
  await request.call('HEAD', path, undefined, SCRIPT)
  await request.call('HEAD', path)
  expect(await isVerified()).toBe(false)
  expect(await request.get(path, accepting('*/*'))).toMatchReply(200, OK)
  expect(await isVerified()).toBe(true)
  expect(await request.get(path, SCRIPT)).toMatchReply(404, NOT_FOUND)
})

test('with it a browser confirms by opening the link, and is shown that', async () => {
  const settings = { ACCOUNT: { CONFIRM_EMAIL_ON_GET: true } }
  const { request, path, isVerified } = await startConfirm(settings)
  const page = await request.get(path, BROWSER)
  expect(page).toSatisfy(isPage)
  expect(page.body).toContain('is confirmed')
  expect(await isVerified()).toBe(true)
  const late = await request.get(path)
  expect(late).toSatisfy(isPage)
  expect(late.status).toBe(404)
})

test('a path without its key, uid or token is not the path of the link', async () => {
  const { request } = await startAuth({ ROUTES: { 'registration/': 'register/' } })
  for (const accept of [SCRIPT, BROWSER]) {
    for (const group of ['registration/', 'register/']) {
      for (const path of ['account-confirm-email/', 'account-confirm-email']) {
        const refused = await request.get(`${group}${path}`, accept)
        expect(refused, path).toMatchReply(405, { detail: 'Method "GET" not allowed.' })
        expect(refused.headers.allow).toBe('OPTIONS, POST')
      }
    }
    for (const path of ['password/reset/confirm/x/', 'password/reset/confirm/x//']) {
      expect(await request.get(path, accept), path).toMatchReply(404, NOT_FOUND)
      expect(await request.post(path, twice(STRONG), accept), path).toMatchReply(404, NOT_FOUND)
    }
    expect((await request.get('password/reset/confirm/', accept)).status).toBe(405)
  }
})

test.each(['registration/account-confirm-email/', 'email/change/confirm/'])(
  '%s documents what it says about a key with a null character',
  async (path) => {
    const { request } = await startAuth()
    const reply = await request.post(`${path}%00/`, undefined, SCRIPT)
    expect(reply).toMatchReply(400, { key: ['Null characters are not allowed.'] })
  },
)
