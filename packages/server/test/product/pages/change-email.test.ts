import { expect, test } from 'vitest'
import { ADA, changeKey, NEW, startWithAda } from '../../support/addresses.ts'
import { BROWSER, FORM } from '../../support/pages.ts'

async function start() {
  const auth = await startWithAda()
  await auth.ask()
  const { link = '' } = (await auth.mail.newest('change-email', NEW)).values
  const { pathname } = new URL(link)
  const press = () => auth.request.post(pathname, '', { type: FORM, ...BROWSER })
  const addressOf = async () => (await auth.findUser('ada')).email
  return { ...auth, link, pathname, press, addressOf }
}

test('the link to a new address leads to a page that names it and changes nothing', async () => {
  const { request, link, pathname, addressOf } = await start()
  expect(link).toMatch(/^http:\/\/localhost:8000\/account\/email\/confirm\/[\w-]+$/)
  for (const path of [pathname, `${pathname}/`]) {
    const page = await request.get(path, BROWSER)
    expect(page.status).toBe(200)
    expect(page.body).toContain(NEW)
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
