import { expect, test } from 'vitest'
import { DAY, MINUTE } from '../../../src/kernel/clock.ts'
import { STRONG, signup, verificationKey } from '../../support/accounts.ts'
import { countRows, dump } from '../../support/dump.ts'
import { startAuth } from '../../support/start-auth.ts'

const OK = { detail: 'ok' }
const NOT_FOUND = { detail: 'Not found.' }
const BOB = 'bob@example.com'

async function startWithBob() {
  const started = await startAuth({ ACCOUNT: { EMAIL_VERIFICATION: 'mandatory' } })
  await started.request.post('registration/', signup('bob'))
  const verify = (key: unknown, path = 'registration/verify-email/') =>
    started.request.post(path, { key })
  const isVerified = async () => (await started.findUser('bob')).email_verified === 1
  return { ...started, verify, isVerified, key: await verificationKey(started, BOB) }
}

test('a key confirms the address, once, and logs nobody in', async () => {
  const { verify, key, request } = await startWithBob()
  const reply = await verify(key)
  expect(reply).toMatchReply(200, OK)
  expect(reply.cookies).toEqual([])
  expect(await verify(key)).toMatchReply(404, NOT_FOUND)
  const login = await request.post('login/', { username: 'bob', password: STRONG })
  expect(login.status).toBe(200)
})

test('the key is taken at account-confirm-email/, too', async () => {
  const { verify, key, isVerified } = await startWithBob()
  expect(await verify(key, 'registration/account-confirm-email/')).toMatchReply(200, OK)
  expect(await isVerified()).toBe(true)
})

test.each(['bad', ' ', 'x'.repeat(100)])('the key %j is none', async (key) => {
  const { verify, isVerified } = await startWithBob()
  expect(await verify(key)).toMatchReply(404, NOT_FOUND)
  expect(await isVerified()).toBe(false)
})

test.each([
  [{}, ['This field is required.']],
  [{ key: '' }, ['This field may not be blank.']],
  [{ key: null }, ['This field may not be null.']],
  [{ key: ['a'] }, ['Not a valid string.']],
])('%j is a field error', async (body, key) => {
  const { request } = await startAuth()
  expect(await request.post('registration/verify-email/', body)).toMatchReply(400, { key })
})

test('a key expires', async () => {
  const { verify, key, clock, isVerified } = await startWithBob()
  clock.advance(3 * DAY)
  expect(await verify(key)).toMatchReply(404, NOT_FOUND)
  expect(await isVerified()).toBe(false)
})

test('a part of a day that is no whole number of milliseconds will do', async () => {
  const started = await startAuth({ ACCOUNT: { EMAIL_CONFIRMATION_EXPIRE_DAYS: 1 / 7 } })
  const { request, clock } = started
  expect((await request.post('registration/', signup('bob'))).status).toBe(201)
  const key = await verificationKey(started, BOB)
  clock.advance(Math.floor(DAY / 7) - MINUTE)
  expect(await request.post('registration/verify-email/', { key })).toMatchReply(200, OK)
})

test('a key is void once the user has another address', async () => {
  const { verify, key, db, isVerified } = await startWithBob()
  const address = { email: 'new@example.com', email_key: 'new@example.com' }
  await db.updateTable('users').set(address).execute()
  expect(await verify(key)).toMatchReply(404, NOT_FOUND)
  expect(await isVerified()).toBe(false)
})

test('of 24 parallel uses of one key one succeeds', async () => {
  const { verify, key } = await startWithBob()
  const replies = await Promise.all(Array.from({ length: 24 }, () => verify(key)))
  const statuses = replies.map((reply) => reply.status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status === 404)).toHaveLength(23)
})

test('the database holds no key', async () => {
  const { db, key } = await startWithBob()
  expect((await dump(db)).filter((value) => value.includes(key))).toEqual([])
})

test('the page behind the link uses the key up only when its button is pressed', async () => {
  const { request, key, isVerified } = await startWithBob()
  const path = `registration/account-confirm-email/${key}/`
  for (let i = 0; i < 3; i++) {
    const page = await request.get(path)
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toContain('<form method="post">')
  }
  await request.call('HEAD', path)
  expect(await isVerified()).toBe(false)

  const type = 'application/x-www-form-urlencoded'
  const headers = { accept: 'text/html', origin: 'http://localhost:8000' }
  const done = await request.post(path, '', { type, headers })
  expect(done.status).toBe(200)
  expect(done.body).toContain('is confirmed')
  expect(await isVerified()).toBe(true)
  expect((await request.post(path, '', { type, headers })).status).toBe(404)
  const late = await request.get(path)
  expect(late.status).toBe(200)
  expect(late.body).toContain('This link no longer works')
})

test('a page tells new users to look into the mailbox', async () => {
  const { request } = await startAuth()
  const page = await request.get('registration/account-email-verification-sent/')
  expect(page.status).toBe(200)
  expect(page.body).toContain('<h1>Check your mail</h1>')
})

test('the mail is sent again to an unverified address only, and the answer is always the same', async () => {
  const started = await startWithBob()
  await started.createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  await started.createUser({ username: 'eve', email: 'eve@example.com', active: false })
  const written = async () =>
    (await countRows(started.db, 'outbox')) + (await countRows(started.db, 'email_keys'))
  for (const email of ['BOB@example.com', 'ada@example.com', 'eve@example.com', 'no@example.com']) {
    const before = await written()
    const reply = await started.request.post('registration/resend-email/', { email })
    expect(reply).toMatchReply(200, OK)
    // A letter and its key, or what takes as long.
    expect(await written()).toBe(before + 2)
  }
  const letters = await started.mail.letters()
  expect(letters.map((letter) => letter.to)).toEqual([BOB, BOB])
  expect(await started.verify(await verificationKey(started, BOB))).toMatchReply(200, OK)
})

test('three verification mails in 15 minutes, that of the registration included', async () => {
  const started = await startWithBob()
  const resend = () => started.request.post('registration/resend-email/', { email: BOB })
  for (let i = 0; i < 4; i++) expect(await resend()).toMatchReply(200, OK)
  expect(await started.mail.letters()).toHaveLength(3)
  started.clock.advance(15 * MINUTE)
  await resend()
  expect(await started.mail.letters()).toHaveLength(4)
})

test('strangers cannot use up mails while there is nobody to get them', async () => {
  const started = await startAuth({ ACCOUNT: { EMAIL_VERIFICATION: 'mandatory' } })
  await started.createUser({ username: 'eve', email: 'eve@example.com', active: false })
  const resend = (email: string) => started.request.post('registration/resend-email/', { email })
  for (let n = 0; n < 4; n++) {
    expect(await resend(BOB)).toMatchReply(200, OK)
    expect(await resend('eve@example.com')).toMatchReply(200, OK)
  }
  await started.request.post('registration/', signup('bob'))
  await started.administration.activate(await started.findUser('eve'))
  await resend('eve@example.com')
  const letters = await started.mail.of('verify-email')
  expect(letters.map(({ to }) => to)).toEqual([BOB, 'eve@example.com'])
})
