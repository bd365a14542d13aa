import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { untilStopped } from '../../src/server/stop.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { newCli } from './support/cli.ts'
import { heldLogin, untilRefused } from './support/held-login.ts'

const ADA = { username: 'ada', password: 'a-good-password' }

/** The timers of the command stand still until the test moves them. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** Moves time on, with pauses for what does not depend on timers, until the work is over. */
async function passTimeUntil(over: Promise<unknown>, maxMs: number): Promise<void> {
  let isOver = false
  const end = () => {
    isOver = true
  }
  over.then(end, end)
  for (let ms = 0; ms < maxMs && !isOver; ms += 100) {
    vi.advanceTimersByTime(100)
    await pause(5)
  }
}

test('a signal lets a request under way finish, and no other begin', async () => {
  const { createAda, serve } = await newCli()
  await createAda()
  const { url, code, signal, exits } = await serve()
  const login = await heldLogin(url, ADA)
  signal()
  await untilRefused(url)
  expect(await login.finish()).toMatchObject({ status: 200, body: { key: expect.any(String) } })
  expect(await code).toBe(0)
  expect(exits).toEqual([])
})

test('a connection that has asked for nothing does not hold up the end', async () => {
  const { serve } = await newCli()
  const { url, code, signal } = await serve()
  const silent = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void silent.destroy())
  await once(silent, 'connect')
  // The server has received it when it has answered a later request.
  await (await fetch(new URL('/healthz', url))).text()
  signal()
  expect(await code).toBe(0)
})

test.each([
  { HOST: '127.0.0.1', address: '127.0.0.1' },
  // IPv4 on some machines, IPv4 and IPv6 on others.
  ...(await lookup('localhost', { all: true })).map(({ address }) => ({
    HOST: 'localhost',
    address,
  })),
])(
  'with HOST $HOST, a kept connection to $address can send one more request, and its answer announces the end',
  async ({ HOST, address }) => {
    const { serve } = await newCli()
    const { url, code, signal } = await serve([], { env: { HOST } })
    const kept = connect(Number(new URL(url).port), address)
    onTestFinished(() => void kept.destroy())
    const ask = async () => {
      kept.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
      return String((await once(kept, 'data'))[0])
    }
    expect(await ask()).toMatch(/^connection: keep-alive/im)
    signal()
    await untilRefused(url)
    const last = await ask()
    expect(last).toMatch(/^HTTP\/1.1 200 /)
    expect(last).toMatch(/^connection: close/im)
    await once(kept, 'end')
    expect(await code).toBe(0)
  },
)

test('behind a balancer it takes new connections for a while, and every answer is the last', async () => {
  const { serve } = await newCli()
  const { url, code, signal, exits } = await serve([], { env: { SHUTDOWN_DELAY: '20' } })
  const ask = async (path: string) => {
    const headers = { connection: 'close' }
    const { status } = await fetch(new URL(path, url), { headers })
    return status
  }
  expect(await ask('/readyz')).toBe(200)
  holdTime()
  signal()
  const kept = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void kept.destroy())
  kept.write('GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [answer] = await once(kept, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1.1 503 .*^connection: close/ims)
  // The limits of a stop begin after the delay.
  for (const ms of [9000, 10_999]) {
    vi.advanceTimersByTime(ms)
    expect([await ask('/readyz'), await ask('/healthz')]).toEqual([503, 200])
  }
  expect(exits).toEqual([])
  vi.advanceTimersByTime(1)
  await untilRefused(url)
  expect(await code).toBe(0)
  expect(exits).toEqual([])
})

test('an answer that is under way says that it is the last', async () => {
  const { createAda, serve } = await newCli()
  await createAda()
  const { url, code, signal } = await serve()
  const login = await heldLogin(url, ADA)
  signal()
  await untilRefused(url)
  expect(await login.finish()).toMatchObject({ status: 200, connection: 'close' })
  expect(await code).toBe(0)
})

test.each([
  ['a request that comes drop by drop', 'POST /auth/login/ HTTP/1.1\r\nHost: l', 2000],
  [
    'a body that never comes whole',
    'POST /auth/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{',
    3000,
  ],
])('%s does not hold up the end', async (_, bytes, ms) => {
  const { serve } = await newCli()
  const { url, code, signal, exits } = await serve()
  const slow = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void slow.destroy())
  slow.on('error', () => {})
  slow.write(bytes)
  // The server has received it when it has answered a later request.
  await (await fetch(new URL('/healthz', url))).text()
  holdTime()
  signal()
  await untilRefused(url)
  vi.advanceTimersByTime(ms)
  expect(await code).toBe(0)
  expect(exits).toEqual([])
})

test('a mail server that hangs does not hold up the end until the limit', async () => {
  const { sink, url: EMAIL_URL, arrival, end } = await startSmtpSink('hangs')
  const { createAda, serve } = await newCli()
  await createAda('--email', 'ada@example.com')
  const { url, code, signal, exits } = await serve([], { env: { EMAIL_URL } })
  await fetch(`${url}password/reset/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ email: 'ada@example.com' }),
  })
  await arrival
  holdTime()
  signal()
  await untilRefused(url)
  await passTimeUntil(code, 6000)
  expect(await code).toBe(0)
  expect(exits).toEqual([])
  // A host that goes on has no connection left over.
  await end
  expect(sink.received).toEqual([])
})

test('should anything else keep it from ending, it is ended after nine seconds', async () => {
  const app = Fastify().addHook('onClose', () => new Promise<void>(() => {}))
  const exits: number[] = []
  let signal = () => {}
  const onSignal = (listener: () => void) => {
    signal = listener
  }
  holdTime()
  const end = { onSignal, exit: (code: number) => exits.push(code) }
  void untilStopped({ app, listeners: [app.server] }, null, end, () => 0)
  signal()
  vi.advanceTimersByTime(8999)
  expect(exits).toEqual([])
  vi.advanceTimersByTime(1)
  expect(exits).toEqual([0])
})

test('a second signal ends at once, but not the echo of the first', async () => {
  const { serve } = await newCli()
  const { url, code, signal, exits } = await serve()
  const login = await heldLogin(url, ADA)
  holdTime()
  signal()
  signal()
  expect(exits).toEqual([])
  vi.advanceTimersByTime(250)
  signal()
  expect(exits).toEqual([1])
  login.abandon()
  expect(await code).toBe(0)
})
