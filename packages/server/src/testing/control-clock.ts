import type { TestClock } from './clock.ts'
import { onlyOne, readDuration, readFlag, readObject, readTime, within } from './input.ts'
import { TestRefusal } from './refusal.ts'

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
