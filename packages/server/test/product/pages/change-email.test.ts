import { expect, test } from 'vitest'
import { STRONG, twice } from '../../support/accounts.ts'
import { ADA, changeKey, NEW, startWithAda } from '../../support/addresses.ts'
import { BROWSER, FORM } from '../../support/pages.ts'

const NOT_MINE = 'answer=not-mine'

async function start() {
  const auth = await startWithAda()
  await auth.ask()
  const { link = '' } = (await auth.mail.newest('change-email', NEW)).values
  const { pathname } = new URL(link)
  const press = (form = '') => auth.request.post(pathname, form, { type: FORM, ...BROWSER })
  const addressOf = async () => (await auth.findUser('ada')).email
  return { ...auth, link, pathname, press, addressOf }
}

test('the link to a new address leads to a page that names it and the account, and changes nothing', async () => {
  const { request, link, pathname, addressOf } = await start()
  expect(link).toMatch(/^http:\/\/localhost:8000\/account\/email\/confirm\/[\w-]+$/)
  for (const path of [pathname, `${pathname}/`]) {
    const page = await request.get(path, BROWSER)
    expect(page.status).toBe(200)
    expect(page.body).toContain(NEW)
    expect(page.body).toContain('“ada”')
    // Perhaps a stranger reads this mailbox.
    expect(page.body).not.toContain(ADA)
    expect(page.body).not.toContain('<script')
  }
  expect(await addressOf()).toBe(ADA)
})

test('without scripts, its button changes the address, once', async () => {
  const { request, press, pathname, addressOf } = await start()
  const done = await press()
  expect(done.status).toBe(200)
  expect(done.body).toContain('Your e-mail address has been changed')
  expect(done.cookies).toEqual([])
  expect(await addressOf()).toBe(NEW)
  expect((await press()).status).toBe(404)
  expect((await request.get(pathname, BROWSER)).status).toBe(404)
})

test('"This wasn’t me" withdraws the change, spends the key, and changes nothing else', async () => {
  const started = await start()
  const { request, auth, press, pathname, show, mail, ask } = started
  const letters = (await mail.letters()).length
  const withdrawn = await press(NOT_MINE)
  expect(withdrawn.status).toBe(200)
  expect(withdrawn.body).toContain('Your address will not be used')
  expect(withdrawn.cookies).toEqual([])
  expect(await show()).toEqual({ email: ADA, verified: true, pending: null })
  const { id } = await started.findUser('ada')
  const events = (await auth.services.audit.newestOfUser(id, 10)).map(({ event }) => event)
  expect(events).toContain('email_change_disowned')
  expect(events).not.toContain('email_changed')
  expect(await mail.letters()).toHaveLength(letters)

  for (const form of ['', NOT_MINE]) expect((await press(form)).status).toBe(404)
  expect((await request.get(pathname, BROWSER)).status).toBe(404)
  expect((await ask()).status).toBe(200)
  expect((await press()).status).toBe(404)
  expect(await started.addressOf()).toBe(ADA)
})

test('of both buttons at once, one counts', async () => {
  const { press, addressOf } = await start()
  const [yes, no] = await Promise.all([press(), press(NOT_MINE)])
  expect([yes.status, no.status].toSorted()).toEqual([200, 404])
  expect(await addressOf()).toBe(yes.status === 200 ? NEW : ADA)
})

test('a change that a new password has voided names nobody', async () => {
  const { request, token, pathname, press } = await start()
  await request.post('password/change/', twice(STRONG), { token })
  const page = await request.get(pathname, BROWSER)
  expect(page.status).toBe(404)
  expect(page.body).not.toContain('ada')
  for (const form of ['', NOT_MINE]) expect((await press(form)).status).toBe(404)
})

test('the way on leads to the account of who is signed in, and to the login of others', async () => {
  const { press, logInBrowser, pathname, request } = await start()
  const browser = await logInBrowser('ada')
  const done = await browser.post(pathname, '', { type: FORM, ...BROWSER })
  expect(done.status).toBe(200)
  expect(done.body).toContain('href="/account/">Go to your account</a>')
  expect(done.body).not.toContain('Go to sign in')

  const { pathname: again, press: pressAgain } = await start()
  const stranger = await pressAgain()
  expect(stranger.body).toContain('href="/account/login/">Go to sign in</a>')
  // Neither a session that has ended nor one that never was is a way in.
  const stale = { cookies: { sessionid: 'x'.repeat(32) }, type: FORM, ...BROWSER }
  expect((await request.post(again, '', stale)).status).toBe(404)
  expect((await press()).status).toBe(404)
})

test('a key for one page is none for another', async () => {
  const auth = await start()
  const key = await changeKey(auth)
  expect((await auth.request.get(`/account/confirm/${key}`, BROWSER)).status).toBe(404)
  const press = await auth.request.post(`/account/confirm/${key}`, 'answer=not-mine', {
    type: FORM,
    ...BROWSER,
  })
  expect(press.status).toBe(404)
  expect(await auth.addressOf()).toBe(ADA)
})
