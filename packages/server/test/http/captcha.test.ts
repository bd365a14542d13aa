import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { UNAVAILABLE } from '../support/answers.ts'
import { NOT_HUMAN, SECRET, SITE_KEY, SOLVED, startCaptcha } from '../support/captcha.ts'
import { countRows } from '../support/dump.ts'
import { sendJson } from '../support/loopback-server.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

const RESET = { email: 'ada@example.com' }
const SENT = { detail: 'Password reset e-mail has been sent.' }

type Provider = NonNullable<Parameters<typeof startCaptcha>[0]>

async function start(
  more: Record<string, unknown> = {},
  provider: Provider = 'turnstile',
  outboundMs = 5000,
) {
  const captcha = await startCaptcha(provider)
  const lines: string[] = []
  const auth = await startAuth(
    { CAPTCHA: captcha.settings(more) },
    { outboundMs, onLogLine: (line) => lines.push(line) },
  )
  const ask = (response?: unknown) =>
    auth.request.post('password/reset/', { ...RESET, captcha: response }, { from: '192.0.2.7' })
  return { ...auth, captcha, lines, ask }
}

test.each<[Provider, Record<string, string>]>([
  ['turnstile', { secret: SECRET, response: SOLVED, remoteip: '192.0.2.7' }],
  ['hcaptcha', { secret: SECRET, response: SOLVED, sitekey: SITE_KEY, remoteip: '192.0.2.7' }],
  ['recaptcha', { secret: SECRET, response: SOLVED, remoteip: '192.0.2.7' }],
])('%s gets a form', async (provider, form) => {
  const { ask, captcha } = await start({}, provider)
  expect(await ask('wrong')).toMatchReply(400, NOT_HUMAN)
  expect((await ask(SOLVED)).status).toBe(200)
  const [, heard] = captcha.heard
  expect(heard).toMatchObject({ method: 'POST', path: '/siteverify' })
  expect(heard?.headers['content-type']).toBe('application/x-www-form-urlencoded')
  expect(Object.fromEntries(new URLSearchParams(heard?.body))).toEqual(form)
})

test('Friendly Captcha gets JSON, and the secret in a header', async () => {
  const { ask, captcha } = await start({}, 'friendly')
  expect(await ask('wrong')).toMatchReply(400, NOT_HUMAN)
  expect((await ask(SOLVED)).status).toBe(200)
  const [, heard] = captcha.heard
  expect(heard?.headers['x-api-key']).toBe(SECRET)
  expect(JSON.parse(heard?.body ?? '')).toEqual({ response: SOLVED, sitekey: SITE_KEY })
})

test('what cannot be an answer is not sent', async () => {
  const { ask, captcha } = await start()
  for (const response of [undefined, null, '', '  ', 'x'.repeat(16_385), true, [SOLVED], {}]) {
    expect(await ask(response)).toMatchReply(400, NOT_HUMAN)
  }
  expect(captcha.heard).toEqual([])
  expect(await ask('x'.repeat(16_384))).toMatchReply(400, NOT_HUMAN)
  expect(captcha.heard).toHaveLength(1)
})

const plain = (status: number, body: string) => (_: unknown, response: ServerResponse) =>
  response.writeHead(status, { 'content-type': 'text/html' }).end(body)
const json = (body: unknown, status = 200) => {
  return (_: unknown, response: ServerResponse) => sendJson(response, body, status)
}

/** Only silence has to be waited for. */
const SHORT_MS = 300

test.each<[string, (heard: unknown, response: ServerResponse) => void, outboundMs?: number]>([
  ['nothing', () => {}, SHORT_MS],
  ['a hang-up', (_, response) => response.destroy()],
  ['500', plain(500, '{"success":true}')],
  ['429', plain(429, '{"success":true}')],
  ['a redirect', plain(302, '{"success":true}')],
  ['a page', plain(200, '<html>')],
  ['more than a megabyte', plain(200, JSON.stringify({ success: true, x: 'x'.repeat(2 ** 20) }))],
  ['a list', json([true])],
  ['null', json(null)],
  ['no verdict', json({})],
  ['a verdict that is a text', json({ success: 'true' })],
  ['that our secret is wrong', json({ success: false, 'error-codes': ['invalid-input-secret'] })],
  ['401', json({ success: false, error: { error_code: 'auth_invalid' } }, 401)],
])('a provider that answers %s is down: 503, or open', async (_, trouble, outboundMs) => {
  for (const WHEN_DOWN of ['refuse', 'allow']) {
    const started = await start({ WHEN_DOWN }, 'turnstile', outboundMs)
    const { ask, captcha, lines, mail, createUser } = started
    await createUser({ username: 'ada', email: RESET.email })
    captcha.answerWith(trouble)
    const reply = await ask(SOLVED)
    const isOpen = WHEN_DOWN === 'allow'
    if (isOpen) expect(reply.status).toBe(200)
    else expect(reply).toMatchReply(503, UNAVAILABLE)
    // Nobody can solve anything while the provider is down.
    if (isOpen) expect((await ask()).status).toBe(200)
    else expect(await ask()).toMatchReply(400, NOT_HUMAN)
    expect(await mail.letters()).toHaveLength(isOpen ? 2 : 0)
    expect(lines.some((line) => line.includes('turnstile'))).toBe(true)
    expect(lines.join('')).not.toContain(SECRET)
    expect(lines.join('')).not.toContain(encodeURIComponent(SECRET))
    captcha.recover()
    expect(await ask('wrong')).toMatchReply(400, NOT_HUMAN)
    expect(await ask()).toMatchReply(400, NOT_HUMAN)
  }
})

test.each([
  ['400 and a page', plain(400, '<html>')],
  ['413', plain(413, '{"success":true}')],
  ['that the request was bad', json({ success: false, 'error-codes': ['bad-request'] }, 400)],
  ['codes that are none', json({ success: false, 'error-codes': { a: 1 }, error: 'x' })],
])('%s, which a visitor might provoke, never opens', async (_, answer) => {
  const { ask, captcha } = await start({ WHEN_DOWN: 'allow' })
  captcha.answerWith(answer)
  expect(await ask(SOLVED)).toMatchReply(400, NOT_HUMAN)
})

test('visitors who come all at once are no outage, and open nothing', async () => {
  const { request, captcha, ask } = await start({ WHEN_DOWN: 'allow' }, 'turnstile', 60_000)
  const held: ServerResponse[] = []
  captcha.answerWith((_, response) => void held.push(response))
  const crowd = Array.from({ length: 128 }, (_, n) =>
    request.post('password/reset/', { ...RESET, captcha: SOLVED }, { from: `192.0.2.${n}` }),
  )
  await expect.poll(() => held.length, { timeout: 20_000 }).toBe(crowd.length)
  expect(await ask(SOLVED)).toMatchReply(503, UNAVAILABLE)
  for (const response of held) sendJson(response, { success: true })
  expect((await Promise.all(crowd)).every(({ status }) => status === 200)).toBe(true)
  captcha.recover()
  expect((await ask(SOLVED)).status).toBe(200)
})

test('a right answer is only a verdict, whatever else it says', async () => {
  const { ask, captcha } = await start()
  captcha.answerWith(json({ success: true, 'error-codes': ['internal-error'] }))
  expect((await ask(SOLVED)).status).toBe(200)
})

test('a wrong secret is in no log, answer or table', async () => {
  const { ask, lines, db } = await start({ SECRET: 'a secret that is wrong' })
  const reply = await ask(SOLVED)
  expect(reply).toMatchReply(503, UNAVAILABLE)
  const told = JSON.stringify([reply.body, reply.headers, lines])
  expect(told).toContain('CAPTCHA.SECRET')
  expect(told).not.toContain('a secret that is wrong')
  expect(await countRows(db, 'outbox')).toBe(0)
})

test('a form can have it, too, and no hook sees it', async () => {
  const captcha = await startCaptcha()
  const seen: unknown[] = []
  const { request } = await startAuth(
    { CAPTCHA: captcha.settings() },
    { hooks: { registering: (...given: unknown[]) => void seen.push(...given) } },
  )
  const account = { username: 'ada', email: RESET.email, password1: PASSWORD, password2: PASSWORD }
  const body = new URLSearchParams({ ...account, captcha: SOLVED }).toString()
  const type = 'application/x-www-form-urlencoded'
  expect((await request.post('registration/', body, { type })).status).toBe(201)
  expect(seen.length).toBeGreaterThan(0)
  expect(JSON.stringify(seen)).not.toContain(SOLVED)
})

test('without a provider the field is one that nobody knows, and nothing else changes', async () => {
  const { request, auth } = await startAuth()
  const { request: other } = await startAuth({ CAPTCHA: { ON: [], WHEN_DOWN: 'allow' } })
  for (const captcha of [undefined, 7, 'x'.repeat(5000)]) {
    const reply = await request.post('password/reset/', { ...RESET, captcha })
    expect(reply).toMatchReply(200, SENT)
    expect((await other.post('password/reset/', { ...RESET, captcha })).body).toEqual(reply.body)
  }
  const endpoints = auth.endpoints()
  expect(endpoints.filter(({ body }) => body && 'captcha' in body)).toEqual([])
  expect(endpoints.filter(({ guard }) => guard)).toEqual([])
})
