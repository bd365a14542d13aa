// How close logins come to the bound that the hash sets, and what other requests feel of them.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { drive } from '../lib/client.js'
import { onEach, prepareDatabase } from '../lib/databases.js'
import { median, quantile } from '../lib/numbers.js'
import { SECRET_KEY } from '../lib/people.js'
import { scripts } from '../lib/requests.js'
import { startService } from '../lib/server.js'

const BOUND = fileURLToPath(new URL('../lib/hash-bound.js', import.meta.url))
const CLIENTS = [1, 8, 64]
/** The service hashes at most three passwords at a time. */
const SLOTS = Math.min(availableParallelism(), 3)
const PAUSE = 20

/** By number of clients: logins and hashes per second, their ratio, and p99 of `user/` meanwhile. */
export async function measureLogins({ rounds, seconds, say }) {
  const { sqlite } = await onEach(['sqlite'], async (url, folder) => {
    await prepareDatabase(url, folder, { to: 1000 })
    const service = await startService({ DATABASE_URL: url, SECRET_KEY }, folder)
    const hashing = fork(BOUND)
    const bound = async (parallel) => {
      hashing.send({ parallel, seconds })
      const [rate] = await once(hashing, 'message')
      return rate
    }
    try {
      // Until the code of a login is compiled, which takes some hundred of them.
      await logIn(service.url, 8, 2 * seconds)
      const results = {}
      for (const clients of CLIENTS) {
        say(`logins: ${clients} clients`)
        const taken = []
        for (let round = 0; round < rounds; round++) {
          const hashes = await bound(Math.min(clients, SLOTS))
          taken.push({ hashes, ...(await logIn(service.url, clients, seconds)) })
        }
        results[clients] = {
          rate: median(taken.map(({ rate }) => rate)),
          hashes: median(taken.map(({ hashes }) => hashes)),
          share: median(taken.map(({ rate, hashes }) => rate / hashes)),
          p50: median(taken.map(({ p50 }) => p50)),
          p99: median(taken.map(({ p99 }) => p99)),
          userP99: quantile(
            taken.flatMap(({ user }) => user),
            0.99,
          ),
        }
      }
      return results
    } finally {
      hashing.kill()
      await service.stop()
    }
  })
  return sqlite
}

async function logIn(url, clients, seconds) {
  const [logins, users] = await Promise.all([
    drive({ url, seconds, connections: clients, script: (index) => loggingIn(index + 1) }),
    drive({ url, seconds, connections: 1, pause: PAUSE, script: () => scripts.userByToken(999) }),
  ])
  return {
    rate: logins.count / logins.seconds,
    p50: quantile(logins.latencies, 0.5),
    p99: quantile(logins.latencies, 0.99),
    user: users.latencies,
  }
}

/** With the default settings, a login answers with the key of the user. */
function loggingIn(n) {
  const request = { ...scripts.login(n)(), expects: (text) => /^\{"key":"[0-9a-f]{40}"/.test(text) }
  return () => request
}
