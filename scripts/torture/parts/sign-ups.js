import { setTimeout } from 'node:timers/promises'
import { createApi } from './api.js'
import { PASSWORD } from './visitors.js'

const CLIENTS = 4

/** Clients who register one account after the other, and remember which were acknowledged. */
export function startSignUps({ url }) {
  const api = createApi(url)
  const acknowledged = []
  const others = []
  let refused = 0
  let isOver = false
  let lastGood = 0

  async function signUp(client) {
    for (let n = 0; !isOver; n++) {
      const username = `person${client}x${n}`
      const startedAt = performance.now()
      const email = `${username}@example.com`
      const body = { username, email, password1: PASSWORD, password2: PASSWORD }
      const { status } = await api.post('registration/', { body })
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
      api.close()
      return { acknowledged, refused, others }
    },
  }
}
