import { expect, test, vi } from 'vitest'
import type { AccountEvent } from '../../../src/core/hooks.ts'
import { DAY, HOUR, isoTime, MINUTE, SECOND } from '../../../src/kernel/clock.ts'
import { signup } from '../../support/accounts.ts'
import { countRows } from '../../support/dump.ts'
import { deliver, holding, hooksFor, retry } from '../../support/events.ts'
import { startAuth } from '../../support/start-auth.ts'

const PAUSES = [
  ...[2 * SECOND, 10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE],
  ...[2 * HOUR, 5 * HOUR, 10 * HOUR, 16 * HOUR, 24 * HOUR],
]

/** Ada has registered, and a hook does not want to hear of it. */
async function startRefusing({ shared = false } = {}) {
  const hook = { refuses: true, heard: [] as AccountEvent[] }
  const lines: string[] = []
  const hooks = hooksFor((event) => {
    hook.heard.push(event)
    if (hook.refuses && event.type === 'registered') throw new Error('not today')
  })
  const onLogLine = (line: string) => void lines.push(line)
  const started = await startAuth({}, { hooks, onLogLine, shared })
  await started.request.post('registration/', signup('ada'))
  const list = () => started.auth.services.deliveries.listUndelivered(10)
  return { ...started, hook, lines, list, deliver: () => deliver(started) }
}

const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type)

test('a hook that throws is logged and tried again, and the next event waits for it', async () => {
  const { hook, clock, deliver, lines, list, auth } = await startRefusing()
  await deliver()
  await deliver()
  expect(typesOf(hook.heard)).toEqual(['registered'])
  const logged = lines.find((line) => line.includes('event not delivered')) ?? '{}'
  expect(JSON.parse(logged)).toMatchObject({
    event: hook.heard[0]?.id,
    type: 'registered',
    receiver: 'hooks',
    attempts: 1,
    reason: 'not today',
    err: { message: 'not today' },
  })
  // As a word: the id of the event is hexadecimal, and may contain it.
  expect(logged).not.toMatch(/\bada\b/)
  expect(await list()).toMatchObject([
    { type: 'registered', receiver: 'hooks', state: 'queued', attempts: 1 },
    { type: 'signedIn', receiver: 'hooks', state: 'queued', attempts: 0 },
  ])

  hook.refuses = false
  clock.advance(2 * SECOND)
  await deliver()
  expect(typesOf(hook.heard)).toEqual(['registered', 'registered', 'signedIn'])
  expect(new Set(hook.heard.map(({ id }) => id)).size).toBe(2)
  expect(await list()).toEqual([])
  const metrics = await auth.metrics.text()
  expect(metrics).toMatch(/^latchkey_events_total\{outcome="queued"\} 2$/m)
  expect(metrics).toMatch(/^latchkey_events_total\{outcome="sent"\} 2$/m)
  expect(metrics).toMatch(/^latchkey_events_total\{outcome="failed"\} 1$/m)
  expect(metrics).toMatch(/^latchkey_events_waiting 0$/m)
})

test('pauses grow; after days an event is given up, and the next one has its turn', async () => {
  const { hook, clock, deliver, lines, list } = await startRefusing()
  for (const [n, pause] of PAUSES.entries()) {
    await deliver()
    expect(hook.heard).toHaveLength(n + 1)
    clock.advance(pause - 1)
    await deliver()
    expect(hook.heard).toHaveLength(n + 1)
    clock.advance(1)
  }
  await deliver()
  expect(typesOf(hook.heard)).toEqual([...PAUSES, 0].map(() => 'registered').concat('signedIn'))
  expect(await list()).toMatchObject([
    { type: 'registered', state: 'dead', attempts: 11, due_at: null },
  ])
  expect(lines.filter((line) => line.includes('event given up'))).toHaveLength(1)
})

test('an operator has given-up events delivered', async () => {
  const { hook, clock, deliver, auth, list } = await startRefusing()
  for (const pause of [...PAUSES, 0]) {
    await deliver()
    clock.advance(pause)
  }
  hook.heard.length = 0
  hook.refuses = false
  clock.advance(7 * DAY)
  await deliver()
  expect(hook.heard).toEqual([])
  expect(await retry({ auth }, 'evt_unknown')).toBe(0)
  const [dead] = await list()
  expect(await retry({ auth }, dead?.id ?? '')).toBe(1)
  await deliver()
  expect(typesOf(hook.heard)).toEqual(['registered'])
  expect(await list()).toEqual([])
})

test('a retry makes everything due that waits', async () => {
  const { hook, deliver, auth, list } = await startRefusing()
  await deliver()
  hook.refuses = false
  expect(await retry({ auth })).toBe(2)
  await deliver()
  expect(typesOf(hook.heard)).toEqual(['registered', 'registered', 'signedIn'])
  expect(await list()).toEqual([])
})

test('a retry leaves alone what is being delivered', async () => {
  const hook = holding(({ type }) => type === 'registered')
  const auth = await startAuth({}, { hooks: hooksFor(hook.hear) })
  await auth.request.post('registration/', signup('ada'))
  const round = deliver(auth)
  await hook.held
  await retry(auth)
  await deliver(auth)
  expect(typesOf(hook.begun)).toEqual(['registered'])
  hook.letGo()
  await round
  expect(typesOf(hook.begun)).toEqual(['registered', 'signedIn'])
})

test('a retry frees what a process claimed while the clock was ahead', async () => {
  const dying = holding(() => true)
  const first = await startAuth({}, { shared: true, hooks: hooksFor(dying.hear) })
  await first.request.post('registration/', signup('ada'))
  first.clock.advance(DAY)
  const round = deliver(first)
  await dying.held
  first.clock.advance(-DAY)

  const alive = holding(() => false)
  const second = await startAuth({}, { beside: first, hooks: hooksFor(alive.hear) })
  expect(await retry(second)).toBe(2)
  await deliver(second)
  expect(typesOf(alive.begun)).toEqual(['registered', 'signedIn'])
  dying.letGo()
  await round
})

test('a hook that takes longer than five seconds is logged and tried again', async () => {
  const { hear, held } = holding(() => true)
  const lines: string[] = []
  const onLogLine = (line: string) => void lines.push(line)
  const auth = await startAuth({}, { hooks: { signedIn: hear }, onLogLine })
  await auth.createUserWithToken('ada')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const round = deliver(auth)
    await held
    await vi.advanceTimersByTimeAsync(5 * SECOND)
    await round
  } finally {
    vi.useRealTimers()
  }
  expect(lines.join()).toContain('It took too long.')
  expect(await auth.auth.services.deliveries.listUndelivered(10)).toMatchObject([
    { state: 'queued', attempts: 1, due_at: isoTime(auth.clock.now() + 2 * SECOND) },
  ])
})

test('what an instance had claimed when it died is told by another', async () => {
  const dying = holding(() => true)
  const first = await startAuth({}, { shared: true, hooks: hooksFor(dying.hear) })
  await first.request.post('registration/', signup('ada'))
  const round = deliver(first)
  await dying.held

  const alive = holding(() => false)
  const second = await startAuth({}, { beside: first, hooks: hooksFor(alive.hear) })
  await deliver(second)
  expect(alive.begun).toEqual([])
  second.clock.advance(20 * SECOND)
  await deliver(second)
  expect(typesOf(alive.begun)).toEqual(['registered', 'signedIn'])
  expect(alive.begun[0]?.id).toBe(dying.begun[0]?.id)

  // It was not dead, only slow. What it still does must not disturb anything.
  dying.letGo()
  await round
  expect(typesOf(dying.begun)).toEqual(['registered'])
  expect(await countRows(first.db, 'event_lines')).toBe(0)
})

test('a line that another has claimed meanwhile is left to them', async () => {
  const slow = holding(({ type }) => type === 'registered')
  const first = await startAuth({}, { shared: true, hooks: hooksFor(slow.hear) })
  await first.request.post('registration/', signup('ada'))
  const slowRound = deliver(first)
  await slow.held
  first.clock.advance(20 * SECOND)
  const other = holding(({ type }) => type === 'signedIn')
  const second = await startAuth({}, { beside: first, hooks: hooksFor(other.hear) })
  const otherRound = deliver(second)
  await other.held

  slow.letGo()
  await slowRound
  expect(typesOf(slow.begun)).toEqual(['registered'])
  expect(await countRows(first.db, 'event_lines')).toBe(1)
  other.letGo()
  await otherRound
  expect(typesOf(other.begun)).toEqual(['registered', 'signedIn'])
  expect(await countRows(first.db, 'event_lines')).toBe(0)
})
