import { setTimeout } from 'node:timers/promises'

/** Longer than a worker that was killed holds a mail, six minutes and a quarter, and the pauses after it. */
const PATIENCE_MS = 450_000

/** Waits until everything that is owed has come: `come` is a set or a map. Returns what has not. */
export async function undelivered(owed, come, patienceMs = PATIENCE_MS) {
  for (const until = performance.now() + patienceMs; ; await setTimeout(200)) {
    const missing = owed.filter((one) => !come.has(one))
    if (missing.length === 0 || performance.now() > until) return missing
  }
}
