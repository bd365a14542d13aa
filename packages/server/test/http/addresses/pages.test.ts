import { expect, test } from 'vitest'
import { ADA, changeKey, NEW, startWithAda } from '../../support/addresses.ts'
import { NOT_FOUND } from '../../support/answers.ts'

const BROWSER = { headers: { accept: 'text/html', origin: 'http://localhost:8000' } }
const FORM = { ...BROWSER, type: 'application/x-www-form-urlencoded' }
const SCRIPT = { headers: { accept: 'application/json' } }

async function startWithLink(settings = {}) {
  const auth = await startWithAda(settings)
  await auth.ask()
  const path = `email/change/confirm/${await changeKey(auth)}/`
  const addressOf = async () => (await auth.findUser('ada')).email
  return { ...auth, path, addressOf }
}

test('the page behind the link uses the key up only when its button is pressed', async () => {
  const { request, path, addressOf } = await startWithLink()
  for (const options of [{}, BROWSER, BROWSER]) {
    const page = await request.get(path, options)
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.body).toContain('<form method="post">')
  }
  await request.call('HEAD', path)
  expect(await addressOf()).toBe(ADA)

  const done = await request.post(path, '', FORM)
  expect(done.status).toBe(200)
  expect(done.body).toContain('Your e-mail address has been changed')
  expect(await addressOf()).toBe(NEW)
  const late = await request.post(path, '', FORM)
  expect(late.status).toBe(404)
  expect(late.body).toContain('This link no longer works')
})

test('the page names the account, and "This wasn’t me" withdraws the change', async () => {
  for (const settings of [{}, { MODULES: ['registration'] }]) {
    const { request, path, show } = await startWithLink(settings)
    const page = await request.get(path, BROWSER)
    expect(page.body).toContain('“ada”')
    expect(page.body).toContain(NEW)
    expect(page.body).not.toContain(ADA)
    const german = { headers: { ...BROWSER.headers, 'accept-language': 'de' } }
    expect((await request.get(path, german)).body).toContain('Das war ich nicht')
    const done = await request.post(path, 'answer=not-mine', FORM)
    expect(done.body).toContain('Your address will not be used')
    expect(await show()).toEqual({ email: ADA, verified: true, pending: null })
    expect((await request.post(path, '', FORM)).status).toBe(404)
  }
})

test('a script can say so, too', async () => {
  const { request, path, show } = await startWithLink()
  expect(await request.post(path, { answer: 'not-mine' }, SCRIPT)).toMatchReply(200, {
    detail: 'ok',
  })
  expect(await show()).toEqual({ email: ADA, verified: true, pending: null })
  expect(await request.post(path, {}, SCRIPT)).toMatchReply(404, NOT_FOUND)
})

test('a script confirms by POST, once, and not by GET', async () => {
  const { request, path, addressOf } = await startWithLink()
  const refused = await request.get(path, SCRIPT)
  expect(refused).toMatchReply(405, { detail: 'Method "GET" not allowed.' })
  expect(refused.headers.allow).toBe('OPTIONS, POST')
  expect(await addressOf()).toBe(ADA)
  expect(await request.post(path, {}, SCRIPT)).toMatchReply(200, { detail: 'ok' })
  expect(await addressOf()).toBe(NEW)
  expect(await request.post(path, {}, SCRIPT)).toMatchReply(404, NOT_FOUND)
})

test('CONFIRM_EMAIL_ON_GET is about other links', async () => {
  const settings = { ACCOUNT: { CONFIRM_EMAIL_ON_GET: true } }
  const { request, path, addressOf } = await startWithLink(settings)
  expect((await request.get(path, BROWSER)).body).toContain('<form method="post">')
  expect((await request.get(path, SCRIPT)).status).toBe(405)
  expect(await addressOf()).toBe(ADA)
})

test.each(['email/change/confirm/', 'registration/account-confirm-email/'])(
  'GET %s without a key is no page',
  async (path) => {
    const { request } = await startWithLink()
    for (const options of [BROWSER, SCRIPT]) {
      const reply = await request.get(path, options)
      expect(reply).toMatchReply(405, { detail: 'Method "GET" not allowed.' })
    }
  },
)

test('the link follows ROUTES', async () => {
  const { mail, request, path } = await startWithLink({ ROUTES: { 'email/': 'address/' } })
  const { values } = await mail.newest('change-email', NEW)
  expect(values.link).toContain('/auth/address/change/confirm/')
  expect((await request.post(path.replace('email/', 'address/'), {}, SCRIPT)).status).toBe(200)
})
