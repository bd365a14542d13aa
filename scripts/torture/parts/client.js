import { Agent, request } from 'node:http'

const PATIENCE_MS = 30_000

/**
 * A client that keeps its connections. Every question has an answer: `status` is "lost" if the
 * connection broke, and "late" if nothing came for half a minute.
 */
export function createClient({ maxSockets = 256, patienceMs = PATIENCE_MS } = {}) {
  const agent = new Agent({ keepAlive: true, maxSockets })

  /**
   * `body` is sent as it is if it is a text or a buffer, and as JSON otherwise. A `path` replaces that of the address,
   * and is not made regular.
   */
  async function ask(method, url, options = {}) {
    const reply = await askOnce(method, url, options)
    // The server closed an idle connection just when it was used again. Clients then send once more.
    return reply.wasIdle ? askOnce(method, url, options) : reply
  }

  function askOnce(method, url, { path, body, headers = {}, token }) {
    const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
    const payload = isRaw ? body : JSON.stringify(body)
    const startedAt = performance.now()
    return new Promise((resolve) => {
      const answer = (status, more = {}) =>
        resolve({ status, headers: {}, text: '', ms: performance.now() - startedAt, ...more })
      const sent = request(url, {
        method,
        agent,
        timeout: patienceMs,
        ...(path !== undefined && { path }),
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(payload !== undefined && { 'content-length': Buffer.byteLength(payload) }),
          ...(token && { authorization: `Token ${token}` }),
          ...headers,
        },
      })
      sent.on('timeout', () => {
        answer('late')
        sent.destroy()
      })
      sent.on('error', (error) => {
        const wasIdle = sent.reusedSocket && error.code === 'ECONNRESET'
        answer('lost', { error, wasIdle })
      })
      sent.on('response', (reply) => {
        const chunks = []
        reply.on('data', (chunk) => chunks.push(chunk))
        reply.on('error', (error) => answer('lost', { error }))
        reply.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          answer(reply.statusCode, { headers: reply.headers, text, body: jsonOf(text) })
        })
      })
      sent.end(payload)
    })
  }

  return {
    ask,
    get: (url, options) => ask('GET', url, options),
    post: (url, body, options) => ask('POST', url, { body, ...options }),
    close: () => agent.destroy(),
  }
}

function jsonOf(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Counts equal statuses: `1 × 200, 63 × 400`. */
export function countStatuses(replies) {
  const counts = new Map()
  for (const { status } of replies) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ')
}
