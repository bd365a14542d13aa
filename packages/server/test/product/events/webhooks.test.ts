import { expect, test } from 'vitest'
import { DAY, SECOND } from '../../../src/kernel/clock.ts'
import { signup } from '../../support/accounts.ts'
import { countRows, dump } from '../../support/dump.ts'
import { deliver, hooksFor } from '../../support/events.ts'
import { startAuth } from '../../support/start-auth.ts'
import { isSigned, NEW_SECRET, SECRET, startWebhook } from '../../support/webhooks.ts'

/** A service that tells one webhook, and a user who has just registered. */
async function startTelling(more: object = {}, handle?: Parameters<typeof startWebhook>[0]) {
  const receiver = await startWebhook(handle)
  const lines: string[] = []
  const settings = { WEBHOOKS: [{ ...receiver.webhook, ...more }] }
  const started = await startAuth(settings, { onLogLine: (line) => void lines.push(line) })
  await started.request.post('registration/', signup('ada'))
  const list = () => started.auth.services.deliveries.listUndelivered(10)
  return { ...started, receiver, lines, list, deliver: () => deliver(started) }
}

test('the log names the origin of a receiver, and never its path or query', async () => {
  const { receiver, lines, deliver, auth, clock } = await startTelling()
  const { origin } = new URL(receiver.url)
  receiver.answers(500)
  await deliver()
  await receiver.close()
  clock.advance(DAY)
  await deliver()
  const all = lines.join('')
  expect(all).toContain(origin)
  expect(all).not.toContain('/hooks')
  expect(await auth.metrics.text()).not.toContain('/hooks')
})

/** Something to wait for. */
function signal() {
  let notify = () => {}
  const heard = new Promise<void>((resolve) => {
    notify = resolve
  })
  return { heard, notify }
}

test('a webhook is told in order, with the headers and the signature of the standard', async () => {
  const { receiver, clock, deliver, db } = await startTelling()
  await deliver()
  const [first, second] = receiver.heard
  expect(receiver.told().map(({ type }) => type)).toEqual(['registered', 'signedIn'])
  expect(receiver.told()[0]).toEqual({
    id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
    type: 'registered',
    timestamp: '2030-01-01T12:00:00.000Z',
    method: 'registration',
    user: expect.objectContaining({ pk: 1, username: 'ada', email: 'ada@example.com', fields: {} }),
  })
  expect(first).toMatchObject({
    method: 'POST',
    path: '/hooks',
    headers: {
      'content-type': 'application/json',
      'webhook-id': receiver.told()[0].id,
      'webhook-timestamp': String(clock.now() / 1000),
    },
  })
  for (const heard of receiver.heard) {
    expect(isSigned(heard, SECRET)).toBe(true)
    expect(isSigned(heard, NEW_SECRET)).toBe(false)
    expect(isSigned({ ...heard, body: `${heard.body} ` }, SECRET)).toBe(false)
    const headers = { ...heard.headers, 'webhook-timestamp': '1' }
    expect(isSigned({ ...heard, headers }, SECRET)).toBe(false)
  }
  expect(second?.headers['webhook-id']).not.toBe(first?.headers['webhook-id'])
  expect(await countRows(db, 'events')).toBe(0)
})

test('with two secrets each message has two signatures', async () => {
  const { receiver, deliver } = await startTelling({ secret: [NEW_SECRET, SECRET] })
  await deliver()
  const [heard] = receiver.heard
  if (!heard) throw new Error('Nothing was told.')
  expect(String(heard.headers['webhook-signature'])).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/)
  for (const secret of [NEW_SECRET, SECRET]) expect(isSigned(heard, secret)).toBe(true)
})

test('only the events that the setting names are told', async () => {
  const { receiver, deliver } = await startTelling({ events: ['signedIn', 'deleted'] })
  await deliver()
  expect(receiver.told().map(({ type }) => type)).toEqual(['signedIn'])
})

test('a repeated message has the same id and a new time, and is signed anew', async () => {
  const { receiver, deliver, clock } = await startTelling()
  receiver.answers(500)
  await deliver()
  receiver.answers(200)
  clock.advance(2 * SECOND)
  await deliver()
  const [failed, repeated] = receiver.heard
  expect(repeated?.body).toBe(failed?.body)
  expect(repeated?.headers['webhook-id']).toBe(failed?.headers['webhook-id'])
  const times = [failed, repeated].map((heard) => Number(heard?.headers['webhook-timestamp']))
  expect(times).toEqual([clock.now() / 1000 - 2, clock.now() / 1000])
  for (const heard of receiver.heard) expect(isSigned(heard, SECRET)).toBe(true)
})

test.each([400, 401, 404, 429, 500, 503])('after %s it is tried again', async (status) => {
  const { receiver, deliver, list, lines } = await startTelling()
  receiver.answers(status)
  await deliver()
  expect(receiver.heard).toHaveLength(1)
  expect(await list()).toMatchObject([
    { state: 'queued', attempts: 1 },
    { state: 'queued', attempts: 0 },
  ])
  const logged = JSON.parse(lines.find((line) => line.includes('event not delivered')) ?? '{}')
  expect(logged).toMatchObject({
    receiver: new URL(receiver.url).origin,
    reason: `status ${status}`,
  })
})

test('a redirect is not followed', async () => {
  const elsewhere = await startWebhook()
  const { receiver, deliver, list } = await startTelling()
  receiver.answers(307, { location: elsewhere.url })
  await deliver()
  expect(receiver.heard).toHaveLength(1)
  expect(elsewhere.heard).toEqual([])
  expect(await list()).toMatchObject([{ state: 'queued', attempts: 1 }, {}])
})

test('a receiver that is gone for good is not asked again', async () => {
  const { receiver, deliver, list, clock } = await startTelling()
  receiver.answers(410)
  await deliver()
  expect(await list()).toMatchObject([
    { type: 'registered', state: 'dead', attempts: 1 },
    { type: 'signedIn', state: 'dead', attempts: 1 },
  ])
  clock.advance(DAY)
  await deliver()
  expect(receiver.heard).toHaveLength(2)
})

test('an answer is taken without its body, however long it is', async () => {
  const { receiver, deliver, db } = await startTelling({}, (_, response) => {
    response.writeHead(200)
    response.write('x')
    // It never ends.
  })
  await deliver()
  expect(receiver.heard).toHaveLength(2)
  expect(await countRows(db, 'events')).toBe(0)
})

test('while a webhook is slow the others, and the hooks, are told', async () => {
  const slow = signal()
  const quick = signal()
  const hook = signal()
  let answer = () => {}
  const slowOne = await startWebhook((_, response) => {
    answer = () => void response.writeHead(204).end()
    slow.notify()
  })
  const quickOne = await startWebhook((_, response) => {
    response.writeHead(204).end()
    quick.notify()
  })
  const settings = { WEBHOOKS: [slowOne.webhook, quickOne.webhook] }
  const started = await startAuth(settings, { hooks: hooksFor(hook.notify) })
  await started.createUserWithToken('ada')
  const round = deliver(started)
  await Promise.all([slow.heard, quick.heard, hook.heard])
  answer()
  await round
  expect(await countRows(started.db, 'events')).toBe(0)
})

test('a webhook that nobody listens at is left alone after a few users', async () => {
  const receiver = await startWebhook()
  const started = await startAuth({ WEBHOOKS: [receiver.webhook] })
  for (let n = 0; n < 20; n++) await started.createUserWithToken(`user${n}`)
  await receiver.close()
  await deliver(started)
  const tried = await started.db
    .selectFrom('events')
    .select('id')
    .where('attempts', '>', 0)
    .execute()
  expect(tried.length).toBeGreaterThanOrEqual(5)
  expect(tried.length).toBeLessThan(20)
})

test('what waits for a webhook that was removed is listed, and told if it comes back', async () => {
  const receiver = await startWebhook()
  const first = await startAuth({ WEBHOOKS: [receiver.webhook] }, { shared: true })
  await first.createUserWithToken('ada')
  const without = await startAuth({}, { beside: first })
  await deliver(without)
  const { listUndelivered } = without.auth.services.deliveries
  expect(await listUndelivered(10)).toMatchObject([{ receiver: null, state: 'queued' }])
  expect(receiver.heard).toEqual([])
  await deliver(first)
  expect(receiver.heard).toHaveLength(1)
})

test('neither the address of a webhook nor its secret is in the database', async () => {
  const { receiver, db } = await startTelling({ events: ['registered'] })
  const all = (await dump(db)).join('\n')
  expect(await countRows(db, 'events')).toBe(1)
  expect(all).not.toContain(receiver.url)
  expect(all).not.toContain(SECRET)
})
