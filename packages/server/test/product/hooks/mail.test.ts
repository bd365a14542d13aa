import { expect, test } from 'vitest'
import { DAY, isoTime, MINUTE } from '../../../src/kernel/clock.ts'
import type { MailMessage } from '../../../src/mailer/host-transport.ts'
import { endless, holdTimers, passSeconds } from '../../support/hooks.ts'
import { startAuth } from '../../support/start-auth.ts'

type Send = (message: MailMessage) => unknown

/** A mail to Ada waits. */
async function start(first: Send) {
  const messages: MailMessage[] = []
  const lines: string[] = []
  /** As an object with state of its own, which most transports are. */
  const mail = {
    says: first,
    send(message: MailMessage) {
      messages.push(message)
      return this.says(message)
    },
  }
  const settings = { EMAIL_URL: 'file:/nowhere/at/all', EMAIL_FROM: 'Latchkey <us@example.com>' }
  const auth = await startAuth(settings, { mail, onLogLine: (line) => lines.push(line) })
  await auth.createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  await auth.request.post('password/reset/', { email: 'ada@example.com' })
  const { delivery } = auth.auth.services
  const waiting = async () => (await delivery.listUndelivered(9)).map(({ attempts }) => attempts)
  return { ...auth, mail, messages, lines, delivery, waiting }
}

test('mails go to the transport of the host, and no longer wait when it resolves', async () => {
  const { messages, delivery, waiting, mail } = await start(async () => ({ accepted: true }))
  expect(await waiting()).toEqual([0])
  await delivery.deliverDue()
  expect(await waiting()).toEqual([])
  expect(mail.says).toBeTypeOf('function')
  expect(messages).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      from: 'Latchkey <us@example.com>',
      to: 'ada@example.com',
      subject: expect.stringContaining('password'),
      text: expect.stringContaining('http'),
      html: expect.stringContaining('<a '),
    },
  ])
  expect(Object.isFrozen(messages[0])).toBe(true)
})

test.each<[string, Send]>([
  [
    'throws',
    () => {
      throw new Error('the quota is used up')
    },
  ],
  ['rejects', () => Promise.reject(new Error('the quota is used up'))],
])('if it %s, the mail is sent again with the same id', async (_, fails) => {
  const { messages, delivery, waiting, mail, clock, lines } = await start(fails)
  await delivery.deliverDue()
  expect(await waiting()).toEqual([1])
  expect(lines.join('')).toContain('the quota is used up')
  expect(lines.join('')).not.toContain(messages[0]?.text ?? '')

  mail.says = () => undefined
  clock.advance(5 * 60_000)
  await delivery.deliverDue()
  expect(await waiting()).toEqual([])
  expect(messages[1]).toEqual(messages[0])
})

test('an error that quotes the mail is logged without its secrets, and cut', async () => {
  let link = ''
  let token = ''
  const { delivery, clock, lines } = await start(({ text }) => {
    link = /http\S+/.exec(text)?.[0] ?? ''
    token = link.split('/').findLast((part) => part !== '') ?? ''
    throw new Error(`5.7.1 blocked, see ${link} (${token}). ${'x'.repeat(10_000)}`)
  })
  await delivery.deliverDue()
  clock.advance(DAY)
  await delivery.deliverDue()
  expect(token.length).toBeGreaterThan(20)
  const reasons = lines.flatMap((line) => JSON.parse(line).reason ?? [])
  expect(reasons).toHaveLength(2)
  for (const reason of reasons)
    expect(reason).toMatch(/^5\.7\.1 blocked, see … \(…\)\. x{100,300}$/)
  expect(lines.join('')).not.toContain(token)
})

test('a mail that one recipient makes impossible does not hold the others up', async () => {
  const { request, createUser, delivery, waiting, messages } = await start(({ to }) => {
    if (to === 'ada@example.com') throw new Error('no such mailbox')
  })
  await createUser({ username: 'bob', email: 'bob@example.com', verified: true })
  await request.post('password/reset/', { email: 'bob@example.com' })
  await delivery.deliverDue()
  expect(await waiting()).toEqual([1])
  expect(messages.map(({ to }) => to).toSorted()).toEqual(['ada@example.com', 'bob@example.com'])
})

test('a try that fails after another one has sent the mail leaves it sent', async () => {
  const { delivery, mail, clock, db, messages } = await start(async () => {
    mail.says = () => undefined
    clock.advance(DAY)
    await delivery.deliverDue()
    throw new Error('the answer was lost')
  })
  await delivery.deliverDue()
  expect(messages).toHaveLength(2)
  const rows = await db.selectFrom('outbox').select(['state', 'sealed_letter']).execute()
  expect(rows).toEqual([{ state: 'sent', sealed_letter: '' }])
})

test('after thirty seconds the try has failed as if it had thrown, whatever the transport says later', async () => {
  const slow = endless()
  const { delivery, db, clock } = await start(slow.hook)
  await db.updateTable('outbox').set({ attempts: 12 }).execute()
  holdTimers()
  const delivering = delivery.deliverDue()
  await slow.begun
  await passSeconds(30)
  await delivering
  slow.end()
  const [mail] = await delivery.listUndelivered(1)
  expect(mail).toMatchObject({ attempts: 13, due_at: isoTime(clock.now() + 5 * MINUTE) })
})

test('a mail counts as waiting while the transport hangs', async () => {
  const slow = endless()
  const { delivery, auth } = await start(slow.hook)
  const delivering = delivery.deliverDue()
  await slow.begun
  expect(await auth.metrics.text()).toMatch(/^latchkey_mails_waiting 1$/m)
  slow.end()
  await delivering
  expect(await auth.metrics.text()).toMatch(/^latchkey_mails_waiting 0$/m)
})
