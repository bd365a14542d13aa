import { expect, test } from 'vitest'
import { requestReset, STRONG, twice } from '../../support/accounts.ts'
import { BROWSER, FORM } from '../../support/pages.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const ADA = 'ada@example.com'

async function start() {
  const started = await startAuth()
  const { request, createUser } = started
  await createUser({ username: 'ada', email: ADA, verified: true })
  const { link } = await requestReset(started, ADA)
  const { pathname } = new URL(link)
  const send = (passwords: Record<string, string>) =>
    request.post(pathname, new URLSearchParams(passwords).toString(), { type: FORM, ...BROWSER })
  const logsIn = async (password: string) =>
    (await request.post('login/', { username: 'ada', password })).status === 200
  return { ...started, link, pathname, send, logsIn }
}

test('the link of the mail leads to a form, which uses nothing up', async () => {
  const { request, link, pathname, send } = await start()
  expect(link).toMatch(/^http:\/\/localhost:8000\/account\/password\/reset\/[^/]+\/[^/]+$/)
  for (const path of [pathname, `${pathname}/`]) {
    const { status, body } = await request.get(path, BROWSER)
    expect(status).toBe(200)
    expect(body).toContain('<form method="post"')
    expect(body).toContain('autocomplete="new-password"')
  }
  expect((await send(twice(STRONG))).status).toBe(200)
})

test('without scripts, the form sets a new password, once', async () => {
  const { request, pathname, send, logsIn } = await start()
  const done = await send(twice(STRONG))
  expect(done.body).toContain('Your password has been changed')
  expect(done.cookies).toEqual([])
  expect(await logsIn(STRONG)).toBe(true)
  expect(await logsIn(PASSWORD)).toBe(false)
  const late = await send(twice('another-Nn-5566'))
  expect(late.status).toBe(404)
  expect(late.body).toContain('href="/account/password/reset/"')
  expect((await request.get(pathname, BROWSER)).status).toBe(404)
  expect(await logsIn(STRONG)).toBe(true)
})

test('what is wrong stands beside its field, in the language of the visitor', async () => {
  const { request, pathname, send, logsIn } = await start()
  const short = await send(twice('1234'))
  expect(short.status).toBe(400)
  expect(short.body).toContain('aria-describedby="new_password2-error"')
  expect(short.body).toContain('This password is too short.')
  expect(short.body).not.toContain('1234')
  expect((await send({ new_password1: STRONG, new_password2: `${STRONG}x` })).status).toBe(400)
  expect((await send({})).status).toBe(400)
  const german = await request.post(pathname, '', {
    type: FORM,
    headers: { accept: 'text/html', 'accept-language': 'de' },
  })
  expect(german.body).toContain('Bitte füllen Sie dieses Feld aus.')
  const tooShort = new URLSearchParams(twice('x1')).toString()
  const headers = { accept: 'text/html', 'accept-language': 'de' }
  const page = await request.post(pathname, tooShort, { type: FORM, headers })
  expect(page.body).toContain('Es muss mindestens 8 Zeichen lang sein.')
  expect(await logsIn(PASSWORD)).toBe(true)
})

test('a made-up link opens no form', async () => {
  const { request } = await start()
  for (const path of ['x/y', 'MQ/abc-0123', '%3Cb%3E/%22']) {
    const { status, body } = await request.get(`/account/password/reset/${path}`, BROWSER)
    expect(status, path).toBe(404)
    expect(body).not.toContain('<form')
  }
})
