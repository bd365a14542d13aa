// How close logins come to the bound that the hash sets, how close a bare server comes, and what other requests feel
// of them.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { drive } from '../lib/client.js'
import { onEach, prepareDatabase } from '../lib/databases.js'
import { median, quantile } from '../lib/numbers.js'
import { SECRET_KEY } from '../lib/people.js'
import { scripts } from '../lib/requests.js'
import { LOGIN_FLOOR, startServer, startService } from '../lib/server.js'

const BOUND = fileURLToPath(new URL('../lib/hash-bound.js', import.meta.url))
const CLIENTS = [1, 8, 64]
/** The service hashes at most three passwords at a time. */
const SLOTS = Math.min(availableParallelism(), 3)
const PAUSE = 20

/**
 * By number of clients: logins and hashes per second, their ratio, the same ratio of a bare server, and p99
 * of `user/` meanwhile.
 */
export async function measureLogins({ rounds, seconds, say }) {
  const { sqlite } = await onEach(['sqlite'], async (url, folder) => {
    await prepareDatabase(url, folder, { to: 1000 })
    const service = await startService({ DATABASE_URL: url, SECRET_KEY }, folder)
    const floor = await startServer([LOGIN_FLOOR], { env: { DATABASE_URL: url }, folder })
    const hashing = fork(BOUND)
    const bound = async (parallel) => {
      hashing.send({ parallel, seconds })
      const [rate] = await once(hashing, 'message')
      return rate
    }
    const logInAt = ({ url }, ...load) => logIn(url, service.url, ...load)
    try {
      // Until the code of a login is compiled, which takes some hundred of them.
      for (const server of [service, floor]) await logInAt(server, 8, 2 * seconds)
      const results = {}
      for (const clients of CLIENTS) {
        say(`logins: ${clients} clients`)
        const taken = []
        for (let round = 0; round < rounds; round++) {
          const hashes = await bound(Math.min(clients, SLOTS))
          const { rate: bare } = await logInAt(floor, clients, seconds)
          taken.push({ hashes, bare, ...(await logInAt(service, clients, seconds)) })
        }
        results[clients] = {
          rate: median(taken.map(({ rate }) => rate)),
          hashes: median(taken.map(({ hashes }) => hashes)),
          share: median(taken.map(({ rate, hashes }) => rate / hashes)),
          bareShare: median(taken.map(({ bare, hashes }) => bare / hashes)),
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
      await floor.stop()
      await service.stop()
    }
  })
  return sqlite
}

/** `asked` is asked for a user meanwhile. */
async function logIn(url, asked, clients, seconds) {
  const [logins, users] = await Promise.all([
    drive({ url, seconds, connections: clients, script: (index) => loggingIn(index + 1) }),
    drive({
      ...{ url: asked, seconds, connections: 1, pause: PAUSE },
      script: () => scripts.userByToken(999),
    }),
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
