import { setTimeout } from 'node:timers/promises'
import { countStatuses, createClient } from './client.js'

const TICK_MS = 20
/** A service that is too slow for the rate must not make the proof wait for hours. */
const MOST_WAITING = 2000

/**
 * So many requests a second, whatever the answers take, as long as not too many wait: `next(n)` makes each of them, as
 * `[method, path, options, expected status]`. Counts the answers, and keeps those that differ.
 */
export function startSteadyLoad({ url, rate, next, maxSockets = 256 }) {
  const client = createClient({ maxSockets })
  const pending = new Set()
  const unexpected = []
  const startedAt = performance.now()
  let [sent, slowestMs, isOver] = [0, 0, false]

  async function ask(n) {
    const [method, path, options, expected] = next(n)
    const reply = await client.ask(method, new URL(path, url), options)
    slowestMs = Math.max(slowestMs, reply.ms)
    if (reply.status === expected) return
    const { status, text, error } = reply
    unexpected.push({ method, path, status, text: error?.message ?? text.slice(0, 200) })
  }

  async function drive() {
    while (!isOver) {
      const due = Math.floor(((performance.now() - startedAt) / 1000) * rate)
      for (; sent < due && pending.size < MOST_WAITING; sent++) {
        const asked = ask(sent).finally(() => pending.delete(asked))
        pending.add(asked)
      }
      await setTimeout(TICK_MS)
    }
  }

  const driving = drive()
  return {
    /** In words: `2 × 503`. Nothing if there are none. */
    unexpected: () => countStatuses(unexpected),
    async stop() {
      isOver = true
      await driving
      const seconds = (performance.now() - startedAt) / 1000
      await Promise.all(pending)
      client.close()
      return {
        sent,
        perSecond: Math.round(sent / seconds),
        unexpected,
        slowestMs: Math.round(slowestMs),
      }
    },
  }
}

/** Mostly lookups, some changes, and a few logins, of the user of `startService`. */
export function mixOf({ token, credentials }) {
  return (n) => {
    if (n % 200 === 100) return ['POST', 'login/', { body: credentials }, 200]
    if (n % 20 === 10) return ['PATCH', 'user/', { token, body: { first_name: `Name ${n}` } }, 200]
    return ['GET', 'user/', { token }, 200]
  }
}
