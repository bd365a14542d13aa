import { expect, test } from 'vitest'
import { MINUTE } from '../../../src/kernel/clock.ts'
import { transaction } from '../../../src/storage/transaction.ts'
import { startSmtpSink } from '../../support/smtp-sink.ts'
import { type StartedAuth, startAuth } from '../../support/start-auth.ts'

function withResolvers() {
  let resolve = () => {}
  let reject = (_: Error) => {}
  const promise = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

const retryAll = ({ handle, auth }: StartedAuth) =>
  transaction(handle, (tx) => auth.services.delivery.retry(null, tx))

/** Two instances, and a mail that the first one is sending to a slow server. */
async function startSending() {
  const server = await startSmtpSink('hangs')
  const first = await startAuth({ EMAIL_URL: server.url }, { shared: true })
  const second = await startAuth({ EMAIL_URL: server.url }, { beside: first })
  await first.createUser({ username: 'ada', email: 'ada@example.com' })
  await first.request.post('password/reset/', { email: 'ada@example.com' })
  const sending = first.auth.services.delivery.deliverDue()
  await server.hanging
  return { ...server, first, second, sending }
}

test('a mail that is being sent is not sent a second time by a retry', async () => {
  const { sink, answerAll, first, second, sending } = await startSending()
  first.clock.advance(1000)
  expect(await retryAll(second)).toBe(1)
  sink.manner = 'accepts'
  await second.auth.services.delivery.deliverDue()
  answerAll()
  await sending
  expect(sink.received).toHaveLength(1)
  expect(await retryAll(second)).toBe(0)
})

test('a mail that waits after a failure is sent at once by a retry', async () => {
  const { sink, url } = await startSmtpSink('refuses')
  const started = await startAuth({ EMAIL_URL: url })
  const { delivery } = started.auth.services
  await started.createUser({ username: 'ada', email: 'ada@example.com' })
  await started.request.post('password/reset/', { email: 'ada@example.com' })
  await delivery.deliverDue()
  sink.manner = 'accepts'
  await delivery.deliverDue()
  expect(sink.received).toHaveLength(0)
  expect(await retryAll(started)).toBe(1)
  await delivery.deliverDue()
  expect(sink.received).toHaveLength(1)
})

test('a worker whose claim has expired leaves the mail to the one that sends it now', async () => {
  const late = withResolvers()
  const slow = withResolvers()
  const log: string[] = []
  const first = await startAuth(
    {},
    { shared: true, mail: { send: () => late.promise }, onLogLine: (line) => log.push(line) },
  )
  const second = await startAuth({}, { beside: first, mail: { send: () => slow.promise } })
  const sentByThird: number[] = []
  const third = await startAuth({}, { beside: first, mail: { send: () => sentByThird.push(1) } })
  await first.createUser({ username: 'ada', email: 'ada@example.com' })
  await first.request.post('password/reset/', { email: 'ada@example.com' })
  const triesOf = async () => (await third.auth.services.delivery.listUndelivered(1))[0]?.attempts
  const one = first.auth.services.delivery.deliverDue()
  await expect.poll(triesOf).toBe(1)
  // As if its process had been suspended.
  first.clock.advance(MINUTE)
  const other = second.auth.services.delivery.deliverDue()
  await expect.poll(triesOf).toBe(2)
  late.reject(new Error('too late'))
  await one
  expect(log.filter((line) => line.includes('mail not sent'))).toEqual([])
  first.clock.advance(5000)
  await third.auth.services.delivery.deliverDue()
  slow.resolve()
  await other
  expect(sentByThird).toEqual([])
})
