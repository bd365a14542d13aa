import { expect, test } from 'vitest'
import { unavailable } from '../../src/kernel/problems.ts'
import { withDeadline } from '../../src/kernel/promises.ts'
import { createRemembered } from '../../src/kernel/remembered.ts'
import { guardedLookup } from '../../src/outbound/addresses.ts'
import { createBreaker } from '../../src/outbound/breaker.ts'
import { createOutbound } from '../../src/outbound/create-outbound.ts'
import { requestStatus } from '../../src/outbound/request.ts'
import { sendJson, startLoopbackServer } from '../support/loopback-server.ts'

const silent = { info() {}, warn() {}, error() {} }

/** Waits longer than the test takes. Tests without an answer use `impatient`. */
function outboundTo(origin: string, timeoutMs = 120_000) {
  const clock = { now: () => 0 }
  const common = { party: 'them', allowPrivate: false, clock, log: silent, timeoutMs }
  return createOutbound({ ...common, origins: new Set([origin]) })
}
const impatient = 50

test('a call sends what it should and brings back JSON', async () => {
  const { url, heard } = await startLoopbackServer((_, response) => sendJson(response, { a: 1 }))
  const answer = await outboundTo(url).call({
    url: `${url}/x?y=z`,
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: 'ä',
  })
  expect(answer).toEqual({ status: 200, body: { a: 1 } })
  expect(heard).toMatchObject([
    { method: 'POST', path: '/x', body: 'ä', headers: { 'accept-encoding': 'identity' } },
  ])
})

test('a refusal is an answer, with any body', async () => {
  const { url } = await startLoopbackServer((_, response) => response.writeHead(401).end('<html>'))
  expect(await outboundTo(url).call({ url })).toEqual({ status: 401, body: undefined })
})

test.each([
  ['headers', () => undefined],
  ['the rest of the body', (response: { write(text: string): void }) => response.write('{')],
])('nobody waits longer than the time for %s', async (_, handle) => {
  const { url } = await startLoopbackServer((_heard, response) => handle(response))
  await expect(outboundTo(url, impatient).call({ url })).rejects.toMatchObject({ status: 503 })
})

test('an answer that switches to another protocol is a failure, not waited for', async () => {
  const { url } = await startLoopbackServer((_, response) => {
    response.writeHead(101, { connection: 'upgrade', upgrade: 'websocket' }).end()
  })
  await expect(outboundTo(url).call({ url })).rejects.toMatchObject({ status: 503 })
})

test('the number of parallel calls is limited', async () => {
  const { url } = await startLoopbackServer(() => undefined)
  const outbound = outboundTo(url)
  const [MOST, more] = [256, 44]
  for (let n = 0; n < MOST; n++) outbound.call({ url }).catch(() => null)
  for (let n = 0; n < more; n++) {
    await expect(outbound.call({ url })).rejects.toMatchObject({ status: 503 })
  }
})

test('the scheme counts in capitals, too', async () => {
  const { url } = await startLoopbackServer((_, response) => sendJson(response, { a: 1 }))
  expect(await outboundTo(url).call({ url: url.replace('http:', 'HTTP:') })).toMatchObject({
    status: 200,
  })
  const secure = url.replace('http:', 'HTTPS:')
  const bounds = { lookup: guardedLookup(false), timeoutMs: 120_000 }
  // It speaks TLS, which this server does not.
  await expect(requestStatus({ url: secure }, bounds)).rejects.toThrow(/SSL|wrong version/)
})

test('several calls together have their own limit', async () => {
  const late = () => unavailable(5)
  const never = new Promise(() => undefined)
  await expect(withDeadline(never, 1, late)).rejects.toMatchObject({ status: 503 })
  expect(await withDeadline(Promise.resolve('in time'), 120_000, late)).toBe('in time')
})

test('what is published is fetched by one for all; a failure takes nothing away', async () => {
  let now = 0
  let loads = 0
  let works = true
  const remembered = createRemembered(
    async () => {
      loads += 1
      if (!works) throw new Error('gone')
      return { version: loads }
    },
    { clock: { now: () => now }, lifetimeMs: 1000, refreshMs: 100 },
  )
  const [first, same] = await Promise.all([remembered.get(), remembered.get()])
  expect(first).toBe(same)
  works = false
  await expect(remembered.refresh(first)).rejects.toThrow('gone')
  expect(await remembered.get()).toBe(first)

  works = true
  const newer = await remembered.refresh(first)
  expect(newer).toEqual({ version: 3 })
  // A caller that still has the old value gets the new one at any time.
  expect(await remembered.refresh(first)).toBe(newer)
  expect(await remembered.refresh(newer ?? first)).toBeNull()
  now = 100
  expect(await remembered.refresh(newer ?? first)).toEqual({ version: 4 })
  now = 1100
  expect(await remembered.get()).toEqual({ version: 5 })
})

test('after several failures calls fail at once, for ten seconds, also if the clock is set back', () => {
  let now = 1_000_000
  const breaker = createBreaker({ now: () => now })
  const fail = () => {
    for (let n = 0; n < 5; n++) breaker.noteFailure()
  }
  expect(breaker.secondsLeft()).toBe(0)
  fail()
  expect(breaker.secondsLeft()).toBe(10)
  now += 9999
  expect(breaker.secondsLeft()).toBe(1)
  now += 1
  expect(breaker.secondsLeft()).toBe(0)
  fail()
  now -= 500_000
  expect(breaker.secondsLeft()).toBe(0)
})

test('what is published is not kept longer because the clock is set back', async () => {
  let now = 1_000_000
  let loads = 0
  const remembered = createRemembered(async () => ({ version: ++loads }), {
    clock: { now: () => now },
    lifetimeMs: 1000,
    refreshMs: 100,
  })
  await remembered.get()
  now -= 500_000
  const second = await remembered.get()
  expect(second).toEqual({ version: 2 })
  const third = await remembered.refresh(second)
  expect(third).toEqual({ version: 3 })
  now -= 50_000
  expect(await remembered.refresh(third ?? second)).toEqual({ version: 4 })
})
