import { setTimeout } from 'node:timers/promises'

const READERS = 16
const WRITERS = 3
/** A request that takes longer counts as lost. */
const PATIENCE_MS = 20_000
const WELL_FOR_MS = 1000
const WELL_WITHIN_MS = 20_000

/**
 * Lookups (`GET user/`) and transactions (`POST login/`), each client one request after the other.
 * Every answer is recorded: when the request was sent, how long it took, and the result.
 */
export function startLoad({ url, credentials, token }) {
  const answers = []
  let isOver = false

  async function ask(kind, path, options) {
    const startedAt = performance.now()
    const status = await statusOf(`${url}${path}`, options)
    answers.push({ kind, status, startedAt, ms: performance.now() - startedAt })
  }

  async function read() {
    while (!isOver) {
      await ask('read', 'user/', { headers: { authorization: `Token ${token}` } })
      await setTimeout(20)
    }
  }

  async function write() {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(credentials)
    while (!isOver) {
      await ask('write', 'login/', { method: 'POST', headers, body })
      await setTimeout(50)
    }
  }

  const clients = [
    ...Array.from({ length: READERS }, read),
    ...Array.from({ length: WRITERS }, write),
  ]

  return {
    /** Waits until both kinds have only good answers for a while. False if that never happens. */
    async untilWell() {
      const begun = performance.now()
      while (performance.now() - begun < WELL_WITHIN_MS) {
        await setTimeout(100)
        const bad = answers.filter(({ status }) => status !== 200)
        const wellSince = Math.max(begun, ...bad.map(({ startedAt, ms }) => startedAt + ms))
        const good = answers.filter(({ startedAt }) => startedAt > wellSince)
        const hasBoth = new Set(good.map(({ kind }) => kind)).size === 2
        if (hasBoth && performance.now() - wellSince > WELL_FOR_MS) return true
      }
      return false
    },

    async stop() {
      isOver = true
      await Promise.all(clients)
      return answers
    },
  }
}

/** A 503 counts only if its body is exactly that of the contract. */
async function statusOf(url, options) {
  try {
    const reply = await fetch(url, { ...options, signal: AbortSignal.timeout(PATIENCE_MS) })
    const body = await reply.text()
    if (reply.status !== 503) return reply.status
    const isWorded = /^\d+$/.test(reply.headers.get('retry-after') ?? '') && body === UNAVAILABLE
    return isWorded ? 503 : 'bad 503'
  } catch {
    return 'lost'
  }
}

const UNAVAILABLE = '{"detail":"Service temporarily unavailable, try again later."}'
