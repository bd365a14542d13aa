import { expect, test } from 'vitest'
import { signup, verificationKey } from '../../support/accounts.ts'
import { BROWSER, FORM } from '../../support/pages.ts'
import { startAuth } from '../../support/start-auth.ts'

const ADA = 'ada@example.com'
const NOT_MINE = 'answer=not-mine'

async function start(settings: object = {}) {
  const started = await startAuth(settings)
  const { request, mail, findUser } = started
  await request.post('registration/', signup('ada'))
  const { link = '' } = (await mail.newest('verify-email', ADA)).values
  const { pathname } = new URL(link)
  const press = (form = '') => request.post(pathname, form, { type: FORM, ...BROWSER })
  const ada = () => findUser('ada')
  return { ...started, link, pathname, press, ada }
}

test('the link of the mail leads to a page that names the account and changes nothing', async () => {
  const { request, link, pathname, ada } = await start()
  expect(link).toMatch(/^http:\/\/localhost:8000\/account\/confirm\/[\w-]+$/)
  for (const path of [pathname, `${pathname}/`]) {
    const { status, body, headers } = await request.get(path, BROWSER)
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toContain(ADA)
    expect(body).toContain('“ada”')
    expect(body).not.toContain('<script')
  }
  expect(await ada()).toMatchObject({ email: ADA, email_verified: 0 })
})

test('without scripts, the button confirms, once', async () => {
  const { request, press, pathname, ada } = await start()
  const done = await press()
  expect(done.status).toBe(200)
  expect(done.body).toContain('Your e-mail address is confirmed')
  expect(done.cookies).toEqual([])
  expect(await ada()).toMatchObject({ email: ADA, email_verified: 1 })
  const late = await press()
  expect(late.status).toBe(404)
  expect(late.body).toContain('This link no longer works')
  expect((await request.get(pathname, BROWSER)).status).toBe(404)
})

test('"This wasn’t me" takes the address away from the account, and spends the key', async () => {
  const started = await start()
  const { request, press, pathname, ada, auth, mail } = started
  const letters = (await mail.letters()).length
  const removed = await press(NOT_MINE)
  expect(removed.status).toBe(200)
  expect(removed.body).toContain('Your address has been removed')
  const user = await ada()
  expect(user).toMatchObject({ email: '', email_key: null, email_verified: 0 })
  const events = await auth.services.audit.newestOfUser(user.id, 10)
  expect(events.map(({ event }) => event)).toContain('email_disowned')
  expect(await mail.letters()).toHaveLength(letters)

  for (const again of [press(), press(NOT_MINE)]) expect((await again).status).toBe(404)
  expect((await request.get(pathname, BROWSER)).status).toBe(404)
  expect((await ada()).email).toBe('')
  // The address is free, and no earlier link for it comes back to life with another account.
  expect((await request.post('registration/', signup('owner', ADA))).status).toBe(201)
  expect((await press()).status).toBe(404)
})

test('all other keys for that address are dead with it', async () => {
  const started = await start()
  const { request, press, ada } = started
  await request.post('registration/resend-email/', { email: ADA })
  const newer = await verificationKey(started, ADA)
  await press(NOT_MINE)
  expect((await request.post('registration/verify-email/', { key: newer })).status).toBe(404)
  expect(await ada()).toMatchObject({ email: '', email_verified: 0 })
})

test('an address that was proved is not taken away by an older mail', async () => {
  const started = await start()
  const { request, press, ada } = started
  await request.post('registration/resend-email/', { email: ADA })
  const key = await verificationKey(started, ADA)
  await request.post('registration/verify-email/', { key })
  expect((await press(NOT_MINE)).status).toBe(404)
  expect(await ada()).toMatchObject({ email: ADA, email_verified: 1 })
})

test('of both buttons at once, one counts', async () => {
  const { press, ada } = await start()
  const [yes, no] = await Promise.all([press(), press(NOT_MINE)])
  expect([yes.status, no.status].toSorted()).toEqual([200, 404])
  const { email, email_verified } = await ada()
  expect([email, email_verified]).toEqual(yes.status === 200 ? [ADA, 1] : ['', 0])
})

test('with CONFIRM_EMAIL_ON_GET opening the page confirms', async () => {
  const { request, pathname, ada } = await start({ ACCOUNT: { CONFIRM_EMAIL_ON_GET: true } })
  await request.call('HEAD', pathname, undefined, BROWSER)
  expect(await ada()).toMatchObject({ email_verified: 0 })
  expect((await request.get(pathname, BROWSER)).body).toContain('is confirmed')
  expect(await ada()).toMatchObject({ email_verified: 1 })
})

test('made-up keys open nothing, and what they hold is not repeated', async () => {
  const { request } = await start()
  for (const key of ['x', '%3Cscript%3E', 'a'.repeat(3000), '%00']) {
    const page = await request.get(`/account/confirm/${key}`, BROWSER)
    expect(page.status, key).toBe(404)
    expect(page.body).not.toContain('<script>')
  }
})
