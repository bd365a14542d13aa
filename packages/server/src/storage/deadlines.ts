import { setTimeout as pause } from 'node:timers/promises'
import { randomInt } from '../kernel/random.ts'

/** How long an operation may take, including the wait for a connection. */
export type Deadlines = {
  /** For a single statement. */
  readMs: number
  /** For a transaction, including all its repetitions. */
  writeMs: number
}

const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 400
const REPEAT_FOR_MS = 2000

/**
 * Pauses before work is repeated after a conflict. They grow, so that a busy database gets time, and
 * are random, so that the same transactions do not collide again. `take` returns false when there is
 * no time left for another try.
 */
export function createPauses() {
  const startedAt = performance.now()
  let longest = FIRST_PAUSE_MS
  return {
    async take(): Promise<boolean> {
      const ms = longest / 2 + randomInt(longest / 2)
      longest = Math.min(2 * longest, LONGEST_PAUSE_MS)
      if (performance.now() - startedAt + ms > REPEAT_FOR_MS) return false
      await pause(ms)
      return true
    },
  }
}
