import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { requestReset } from '../support/accounts.ts'
import { startAuth } from '../support/start-auth.ts'

const ADA = 'ada@example.com'
const LOCAL = { headers: { host: 'localhost:8000' } }

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-mailbox-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A service that prints its mails, and what it printed. */
async function startWithMailbox(settings: object = {}) {
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
  onTestFinished(() => spy.mockRestore())
  const started = await startAuth(settings)
  await started.createUser({ username: 'ada', email: ADA })
  const deliver = () => started.auth.services.delivery.deliverDue()
  const printed = () => spy.mock.calls.flat().join('')
  const get = (path = '', options: object = LOCAL) =>
    started.request.get(`dev/mailbox/${path}`, options)
  return { ...started, deliver, printed, get }
}

const mailsIn = (body: unknown) =>
  [...String(body).matchAll(/<h2><a href="([^"]+)">/g)].map(([, url]) => url ?? '')

test('mails are printed, and listed with their links', async () => {
  const started = await startWithMailbox()
  const { link } = await requestReset(started, ADA)
  await started.deliver()
  expect(started.printed()).toContain(`\n${link}\n`)
  const list = await started.get()
  expect(list.status).toBe(200)
  expect(list.body).toContain(`<a href="${link}">`)
  expect(list.body).toContain(`To ${ADA}`)
})

test('the newest mail comes first', async () => {
  const started = await startWithMailbox()
  const { link: first } = await requestReset(started, ADA)
  await started.deliver()
  started.clock.advance(60_000)
  const { link: second } = await requestReset(started, ADA)
  await started.deliver()
  const page = String((await started.get()).body)
  expect(mailsIn(page)).toHaveLength(2)
  expect(page.indexOf(`href="${second}"`)).toBeLessThan(page.indexOf(`href="${first}"`))
})

test('an empty mailbox says so, and looks for mails by itself', async () => {
  const { get } = await startWithMailbox()
  const { body } = await get()
  expect(body).toContain('No mails yet')
  expect(body).toContain('<meta http-equiv="refresh" content="5">')
})

test('a mail is shown as text and, in a frame that can do nothing, as HTML', async () => {
  const started = await startWithMailbox()
  const { link } = await requestReset(started, ADA)
  await started.deliver()
  const [mail = ''] = mailsIn((await started.get()).body)
  for (const spelling of [mail, mail.replace(/\/$/, '')]) {
    const address = new URL(spelling, 'http://localhost:8000/auth/dev/mailbox/')
    const { body, headers } = await started.request.get(address.pathname, LOCAL)
    expect(body).toMatch(/<pre>Hello/)
    expect(body).toContain(`<a href="${link}">${link}</a>`)
    expect(body).not.toContain('http-equiv="refresh"')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(headers['content-security-policy']).not.toContain('script-src')

    const frame = /<iframe [^>]*src="([^"]+)" sandbox="([^"]*)"/.exec(String(body))
    expect(frame?.[2]).toBe('allow-top-navigation-by-user-activation')
    const { pathname } = new URL(frame?.[1] ?? '', address)
    const part = await started.request.get(pathname, LOCAL)
    expect(part.body).toContain('<base target="_top">')
    expect(part.body).toContain(`<a href="${link}">`)
    expect(part.headers).toMatchObject({
      'x-frame-options': 'SAMEORIGIN',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation",
    })
  }
})

test('a subject of the deployment is text, not markup', async () => {
  const folder = await newFolder()
  await writeFile(
    join(folder, 'reset-password.txt'),
    'Subject: <b>Hi</b>\n\n<i>Go</i>:\n\n{link}\n',
  )
  const started = await startWithMailbox({ EMAIL_TEMPLATES_DIR: folder })
  await requestReset(started, ADA)
  await started.deliver()
  const list = String((await started.get()).body)
  expect(list).toContain('&#60;b&#62;Hi')
  const view = await started.get(mailsIn(list)[0])
  expect(view.body).not.toMatch(/<b>|<i>/)
})

test('it answers only to this machine, and only for mails that it has', async () => {
  const started = await startWithMailbox()
  await requestReset(started, ADA)
  await started.deliver()
  const [mail = ''] = mailsIn((await started.get()).body)
  const strangers = [
    { from: '192.0.2.1', ...LOCAL },
    { headers: { host: 'evil.example' } },
    { headers: { host: 'localhost:8000', 'x-forwarded-for': '127.0.0.1' } },
  ]
  for (const stranger of strangers) {
    for (const path of ['', mail, `${mail}html/`]) {
      expect(await started.get(path, stranger), path).toMatchReply(404, { detail: 'Not found.' })
    }
  }
  for (const path of ['nothing/', 'nothing/html/', 'constructor/']) {
    expect(await started.get(path), path).toMatchReply(404, { detail: 'Not found.' })
  }
})

test('a service that others reach has no mailbox, whatever a proxy makes of the Host', async () => {
  for (const PUBLIC_URL of ['https://id.example', 'http://192.168.0.7:8000']) {
    const started = await startWithMailbox({ PUBLIC_URL })
    await requestReset(started, ADA)
    await started.deliver()
    for (const path of ['', 'nothing/']) {
      expect(await started.get(path), path).toMatchReply(404, { detail: 'Not found.' })
    }
  }
})

test('without console: there is no mailbox', async () => {
  const { get } = await startWithMailbox({ EMAIL_URL: `file:${await newFolder()}` })
  expect((await get()).status).toBe(404)
})
