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

/** The paths of the listed mails. */
const mailsIn = (body: unknown) =>
  [...String(body).matchAll(/<li>\n<a href="([^"]+)"/g)].map(([, url]) => url ?? '')

/** The HTML in the frame of a page, and what the frame may do. */
function frameIn(body: unknown) {
  const [, srcdoc = '', sandbox] =
    /<iframe [^>]*srcdoc="([^"]*)" sandbox="([^"]*)"/.exec(String(body)) ?? []
  const markup = srcdoc.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
  return { markup, sandbox }
}

test('mails are printed, and the newest is shown as text and, in a frame that can do nothing, as HTML', async () => {
  const started = await startWithMailbox()
  const { link } = await requestReset(started, ADA)
  await started.deliver()
  expect(started.printed()).toContain(`\n${link}\n`)
  const { status, body, headers } = await started.get()
  expect(status).toBe(200)
  expect(body).toContain(`To ${ADA} <time datetime="2030-01-01T12:00:00.000Z">`)
  expect(body).toMatch(/<pre>Hello/)
  expect(body).toContain(`<a href="${link}">${link}</a>`)
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  )
  const { markup, sandbox } = frameIn(body)
  expect(sandbox).toBe('allow-top-navigation-by-user-activation')
  expect(markup).toContain('<base target="_top">')
  expect(markup).toContain(`<a href="${link}">`)
})

test('the newest mail comes first, and each can be opened', async () => {
  const started = await startWithMailbox()
  const { link: first } = await requestReset(started, ADA)
  await started.deliver()
  started.clock.advance(60_000)
  const { link: second } = await requestReset(started, ADA)
  await started.deliver()
  const { body: list } = await started.get()
  const paths = mailsIn(list)
  expect(paths).toHaveLength(2)
  expect(frameIn(list).markup).toContain(second)
  for (const link of [first, second]) expect(list).toContain(`<a href="${link}">`)
  for (const [at, link] of [second, first].entries()) {
    const path = paths[at] ?? ''
    for (const spelling of [path, path.replace(/\/$/, '')]) {
      const address = new URL(spelling, 'http://localhost:8000/auth/dev/mailbox/')
      const { body } = await started.request.get(address.pathname, LOCAL)
      expect(frameIn(body).markup).toContain(link)
      expect(body).not.toContain('http-equiv="refresh"')
      const others = mailsIn(body).map((other) => new URL(other, address).pathname)
      expect(others).toEqual(paths.map((other) => `/auth/dev/mailbox/${other.slice(2)}`))
    }
  }
})

test('an empty mailbox says so, and looks for mails by itself', async () => {
  const { get } = await startWithMailbox()
  const { body } = await get()
  expect(body).toContain('No mails yet')
  expect(body).toContain('<meta http-equiv="refresh" content="5">')
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
  const { body } = await started.get()
  expect(body).toContain('&#60;b&#62;Hi')
  expect(body).not.toMatch(/<b>|<i>/)
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
    for (const path of ['', mail]) {
      expect(await started.get(path, stranger), path).toMatchReply(404, { detail: 'Not found.' })
    }
  }
  for (const path of ['nothing/', 'constructor/']) {
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
