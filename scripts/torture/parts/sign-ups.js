import { setTimeout } from 'node:timers/promises'

const CLIENTS = 4
const PATIENCE_MS = 20_000
const PASSWORD = 'Nn-5566-yy-lantern'

/** Clients who register one account after the other, and remember which were acknowledged. */
export function startSignUps({ url }) {
  const acknowledged = []
  const others = []
  let refused = 0
  let isOver = false
  let lastGood = 0

  async function signUp(client) {
    for (let n = 0; !isOver; n++) {
      const username = `person${client}x${n}`
      const startedAt = performance.now()
      const status = await register(url, username)
      if (status === 201) {
        acknowledged.push(username)
        lastGood = startedAt
      } else if (status === 503) refused++
      else others.push(status)
      await setTimeout(20)
    }
  }

  const clients = Array.from({ length: CLIENTS }, (_, client) => signUp(client))

  return {
    /** When the first request was sent from now on that is acknowledged. */
    async nextGood(patienceMs) {
      const now = performance.now()
      while (lastGood < now && performance.now() < now + 2 * patienceMs) await setTimeout(10)
      return lastGood < now ? Number.POSITIVE_INFINITY : lastGood
    },
    async stop() {
      isOver = true
      await Promise.all(clients)
      return { acknowledged, refused, others }
    },
  }
}

async function register(url, username) {
  const email = `${username}@example.com`
  try {
    const reply = await fetch(`${url}registration/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, email, password1: PASSWORD, password2: PASSWORD }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    await reply.text()
    return reply.status
  } catch {
    return 'lost'
  }
}
