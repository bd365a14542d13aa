import { AsyncLocalStorage } from 'node:async_hooks'
import { type Clock, systemClock } from '../kernel/clock.ts'
import { onlyOne, readDuration, readFlag, readObject, readTime, within } from './input.ts'
import { TestRefusal } from './refusal.ts'

export type TestClock = ReturnType<typeof createTestClock>

/** What a snapshot keeps of a clock. */
export type ClockState = { readonly aheadMs: number; readonly frozenAt: number | null }

const REAL: ClockState = { aheadMs: 0, frozenAt: null }

/** A clock that can be turned, stopped and started. At first it shows the real time. */
export function createTestClock() {
  let state = REAL
  const age = new AsyncLocalStorage<number>()
  const shown = (): number => state.frozenAt ?? systemClock.now() + state.aheadMs

  return {
    /** Work that runs as of an earlier time sees that time, and nobody else does. */
    now: () => shown() - (age.getStore() ?? 0),
    /** Does the work as if it were `ms` earlier. */
    earlier: <T>(ms: number, work: () => Promise<T>): Promise<T> => age.run(ms, work),
    isFrozen: () => state.frozenAt !== null,

    set(at: number): void {
      state = state.frozenAt === null ? running(at) : { ...state, frozenAt: at }
    },
    freeze(): void {
      state = { ...state, frozenAt: shown() }
    },
    /** Goes on from the time that it shows. */
    run(): void {
      state = running(shown())
    },
    state: () => state,
    restore(earlier: ClockState = REAL): void {
      state = earlier
    },
  } satisfies Clock & Record<string, unknown>
}

const running = (at: number): ClockState => ({
  aheadMs: at - systemClock.now(),
  frozenAt: null,
})

const NAMES = ['advance', 'set', 'freeze', 'run'] as const

/** Turns the clock as the body says: `{advance: "3d"}`, `{set: "2030-01-01T12:00:00Z"}` and so on. */
export function turnClock(clock: TestClock, body: unknown): void {
  const given = readObject(body, NAMES)
  const what = onlyOne(given, NAMES)
  if (what === 'advance') {
    clock.set(within(clock.now() + readDuration(given.advance, 'advance'), 'advance'))
  } else if (what === 'set') clock.set(readTime(given.set, 'set'))
  else if (what === 'run') {
    mustBeTrue(given.run, 'run')
    clock.run()
  } else if (typeof given.freeze === 'string') {
    const at = readTime(given.freeze, 'freeze')
    clock.freeze()
    clock.set(at)
  } else {
    mustBeTrue(given.freeze, 'freeze')
    clock.freeze()
  }
}

function mustBeTrue(input: unknown, name: 'freeze' | 'run'): void {
  if (readFlag(input, name)) return
  const other = name === 'freeze' ? 'run' : 'freeze'
  throw new TestRefusal(`${name}: expected true. For the opposite, use ${other}.`)
}
