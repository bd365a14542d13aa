import { Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DAY, MINUTE, SECOND } from '../../../src/kernel/clock.ts'
import { transaction } from '../../../src/storage/transaction.ts'
import { requestReset, signup } from '../../support/accounts.ts'
import { dump } from '../../support/dump.ts'
import { holdTimers, passSeconds } from '../../support/hooks.ts'
import { startSmtpSink } from '../../support/smtp-sink.ts'
import { type StartedAuth, startAuth } from '../../support/start-auth.ts'

const ADA = 'ada@example.com'

async function startWithSink(...options: Parameters<typeof startSmtpSink>) {
  const server = await startSmtpSink(...options)
  const started = await startAuth({ EMAIL_URL: server.url }, { shared: true })
  await started.createUser({ username: 'ada', email: ADA })
  const deliver = () => started.auth.services.delivery.deliverDue()
  const mailTo = async (name: string) => {
    await started.request.post('registration/', signup(name))
    await deliver()
  }
  return { ...server, ...started, deliver, mailTo }
}

const askForReset = ({ request }: Pick<StartedAuth, 'request'>) =>
  request.post('password/reset/', { email: ADA })

const statesOf = async ({ db }: Pick<StartedAuth, 'db'>) =>
  db.selectFrom('outbox').select(['state', 'attempts']).execute()

const messageId = (raw: string) => /^Message-ID: (<.*>)/im.exec(raw)?.[1]

test('a mail arrives once, with its link on a separate line, and its content is deleted', async () => {
  const started = await startWithSink()
  const { sink, db, deliver } = started
  const { link, token } = await requestReset(started, ADA)
  expect(sink.received).toEqual([])
  await deliver()
  await deliver()
  expect(sink.received).toHaveLength(1)
  const [{ to, raw } = { to: [], raw: '' }] = sink.received
  expect(to).toEqual([ADA])
  expect(decoded(raw).split('\r\n')).toContain(link)
  expect(raw).toMatch(/^Subject: Choose a new password for localhost\r$/m)
  expect(raw).toMatch(/^From: noreply@localhost\r$/m)
  expect(raw).toContain('multipart/alternative')
  expect(await statesOf(started)).toEqual([{ state: 'sent', attempts: 1 }])
  expect((await db.selectFrom('outbox').selectAll().execute())[0]?.sealed_letter).toBe('')
  expect((await dump(db)).filter((value) => value.includes(token))).toEqual([])
})

test.each([
  ['that wants a login', 'ada:p%40ss@127.0.0.1'],
  // Wide letters: in ASCII it is the same name.
  ['with an international name', 'ｌｏｃａｌｈｏｓｔ'],
])('a server %s gets the mail', async (_, authority) => {
  const { port, sink } = await startSmtpSink()
  const started = await startAuth({ EMAIL_URL: `smtp://${authority}:${port}` })
  await started.createUser({ username: 'ada', email: ADA })
  await askForReset(started)
  await started.auth.services.delivery.deliverDue()
  expect(sink.received).toHaveLength(1)
})

test('while the server is gone answers are as ever, and on its return every mail arrives', async () => {
  const started = await startWithSink()
  const { close, port, clock, deliver, request } = started
  await close()
  expect((await askForReset(started)).status).toBe(200)
  for (let i = 0; i < 8; i++) {
    expect((await request.post('registration/', signup(`bob${i}`))).status).toBe(201)
  }
  for (let i = 0; i < 10; i++) {
    await deliver()
    clock.advance(MINUTE)
  }
  expect((await statesOf(started)).every(({ state }) => state === 'queued')).toBe(true)

  const { sink } = await startSmtpSink('accepts', port)
  clock.advance(45 * SECOND)
  await deliver()
  expect(sink.received).toHaveLength(9)
})

test('after a day a mail is given up, until an operator wants it sent', async () => {
  const started = await startWithSink()
  const { close, port, clock, deliver, auth, handle } = started
  await close()
  await askForReset(started)
  await deliver()
  clock.advance(DAY)
  await deliver()
  expect(await statesOf(started)).toMatchObject([{ state: 'dead' }])
  const [mail] = await auth.services.delivery.listUndelivered(10)
  expect(mail).toMatchObject({ state: 'dead', to: ADA, letter: 'reset-password' })

  const { sink } = await startSmtpSink('accepts', port)
  await deliver()
  expect(sink.received).toEqual([])
  const retry = (id: string) => transaction(handle, (tx) => auth.services.delivery.retry(id, tx))
  expect(await retry('unknown')).toBe(0)
  expect(await retry(mail?.id ?? '')).toBe(1)
  await deliver()
  expect(sink.received).toHaveLength(1)
})

test.each([
  ['for good', 550],
  ['for now', 450],
])('recipients whom the server refuses %s do not hold up the others', async (_, code) => {
  const started = await startWithSink()
  const { sink, request, deliver, clock } = started
  for (let i = 0; i < 12; i++) {
    sink.refusedRecipients.set(`bob${i}@example.com`, code)
    await request.post('registration/', signup(`bob${i}`))
  }
  await askForReset(started)
  await deliver()
  expect(sink.received.map(({ to }) => to)).toEqual([[ADA]])
  sink.refusedRecipients.clear()
  clock.advance(2 * SECOND)
  await deliver()
  expect(sink.received).toHaveLength(13)
})

test('a letter that this version does not know holds up no others', async () => {
  const started = await startWithSink()
  const { sink, auth, deliver } = started
  const template = 'of-a-newer-version' as 'verify-email'
  const letter = { to: ADA, userId: null, template, values: {} }
  for (let i = 0; i < 12; i++) await auth.services.outbox.post(letter, started.handle)
  await askForReset(started)
  await deliver()
  expect(sink.received).toHaveLength(1)
  expect((await statesOf(started)).filter(({ state }) => state === 'queued')).toHaveLength(12)
})

test('a server that took the mail and died gets it again under the same Message-ID', async () => {
  const started = await startWithSink('dies')
  const { sink, port, clock, deliver } = started
  await askForReset(started)
  await deliver()
  expect(await statesOf(started)).toEqual([{ state: 'queued', attempts: 1 }])
  const second = await startSmtpSink('accepts', port)
  clock.advance(45 * SECOND)
  await deliver()
  const ids = [...sink.received, ...second.sink.received].map(({ raw }) => messageId(raw))
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
  expect(ids[0]).toMatch(/^<[0-9a-f]{32}@localhost>$/)
})

/** Ada's mail is sent, and the server does not answer. The connection is one of an earlier mail. */
async function startHanging() {
  // Sockets have timers of their own, which cannot be held.
  const silence = vi.spyOn(Socket.prototype, 'setTimeout')
  onTestFinished(() => silence.mockRestore())
  const started = await startWithSink()
  const { sink, port, hanging, mailTo, deliver } = started
  await mailTo('bob')
  const isOurs = silence.mock.contexts.map((one) => (one as Socket).remotePort === port)
  const patience = silence.mock.calls.filter((_, n) => isOurs[n]).at(-1)?.[0]
  sink.manner = 'hangs'
  await askForReset(started)
  holdTimers()
  const delivering = deliver()
  await hanging
  return { ...started, delivering, patience }
}

test('a server that answers after minutes gets the mail once', async () => {
  const { sink, delivering, patience, answerAll, ...started } = await startHanging()
  expect(patience).toBe(5 * MINUTE)
  await passSeconds(5 * 60)
  answerAll()
  await delivering
  expect(sink.received).toHaveLength(2)
  expect(sink.connections).toBe(1)
  expect(await statesOf(started)).toEqual([
    { state: 'sent', attempts: 1 },
    { state: 'sent', attempts: 1 },
  ])
})

test('the connection of a try that is given up is closed, and the next try has another', async () => {
  const { sink, delivering, end, clock, deliver, ...started } = await startHanging()
  await passSeconds(6 * 60)
  await delivering
  await end
  expect(await statesOf(started)).toContainEqual({ state: 'queued', attempts: 1 })
  vi.useRealTimers()
  sink.manner = 'accepts'
  clock.advance(2 * SECOND)
  await deliver()
  expect(sink.received).toHaveLength(2)
  expect(sink.connections).toBe(2)
})

test('a connection that was idle for 15 seconds is closed, and the next mail has another', async () => {
  const { sink, end, mailTo } = await startWithSink()
  await mailTo('bob')
  holdTimers()
  for (const name of ['cleo', 'dora', 'eve']) {
    await mailTo(name)
    await passSeconds(14)
  }
  expect(sink.connections).toBe(1)
  await passSeconds(1)
  await end
  vi.useRealTimers()
  await mailTo('fay')
  expect(sink.connections).toBe(2)
})

test('mails share their connections', async () => {
  const started = await startWithSink()
  const { sink, request, deliver } = started
  for (let i = 0; i < 12; i++) {
    await request.post('registration/', signup(`bob${i}`))
    if (i % 2) sink.refusedRecipients.set(`bob${i}@example.com`, 550)
  }
  await deliver()
  expect(sink.received).toHaveLength(6)
  expect(sink.connections).toBeLessThanOrEqual(5)
})

test.each([
  ['Team: Acme <us@example.com>', '"Team: Acme" <us@example.com>'],
  ['Acme, Inc. <us@example.com>', '"Acme, Inc." <us@example.com>'],
  ['"Acme \\"EU\\", Inc." <us@example.com>', '"Acme \\"EU\\", Inc." <us@example.com>'],
  ['Acme <us@example.com>', 'Acme <us@example.com>'],
])('the sender %s is one address with a name', async (EMAIL_FROM, header) => {
  const { sink, url } = await startSmtpSink()
  const started = await startAuth({ EMAIL_URL: url, EMAIL_FROM })
  await started.createUser({ username: 'ada', email: ADA })
  await askForReset(started)
  await started.auth.services.delivery.deliverDue()
  expect(sink.received[0]?.raw).toContain(`From: ${header}\r\n`)
})

test('mails that a killed instance left are sent by the next one', async () => {
  const started = await startWithSink()
  const { sink, auth, clock, settings } = started
  await askForReset(started)
  // The instance stopped before it claimed the mail, or after it. Both states are only rows.
  await started.request.post('registration/', signup('bob'))
  const [{ id } = { id: '' }] = await auth.services.delivery.listUndelivered(1)
  await started.db
    .updateTable('outbox')
    .set({ attempts: 1, due_at: clock.now() + 45 * SECOND })
    .where('id', '=', id)
    .execute()

  const next = await startAuth({ EMAIL_URL: settings.EMAIL_URL }, { beside: started })
  await next.auth.services.delivery.deliverDue()
  expect(sink.received).toHaveLength(1)
  clock.advance(45 * SECOND)
  await next.auth.services.delivery.deliverDue()
  expect(sink.received).toHaveLength(2)
})

test('of several instances one sends each mail', async () => {
  const started = await startWithSink()
  const { sink, settings, request } = started
  for (let i = 0; i < 20; i++) await request.post('registration/', signup(`bob${i}`))
  const instances: Pick<StartedAuth, 'auth'>[] = [started]
  while (instances.length < 4) {
    instances.push(await startAuth({ EMAIL_URL: settings.EMAIL_URL }, { beside: started }))
  }
  await Promise.all(instances.map(({ auth }) => auth.services.delivery.deliverDue()))
  const recipients = sink.received.flatMap(({ to }) => to)
  expect(recipients).toHaveLength(20)
  expect(new Set(recipients).size).toBe(20)
})

test('a name that a stranger chose adds neither a header nor a link', async () => {
  const started = await startWithSink()
  const { sink, db, deliver } = started
  const name = 'x\r\nBcc: eve@example.com\r\n\r\n<a href="https://evil.example">{link}\0'
  await db.updateTable('users').set({ username: name, email_verified: 1 }).execute()
  await askForReset(started)
  await deliver()
  const [{ to, raw } = { to: [], raw: '' }] = sink.received
  expect(to).toEqual([ADA])
  expect(raw).not.toMatch(/^Bcc:/im)
  expect(decoded(raw)).not.toContain('<a href="https://evil.example">{link}</a>')
  expect(decoded(raw)).toContain('&#60;a href=&#34;https://evil.example&#34;&#62;')
})

/** Good enough for quoted-printable in ASCII. */
const decoded = (raw: string): string =>
  raw
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
