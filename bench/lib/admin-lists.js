// What operators ask for: a page of users, the page behind it, and a search. Measured inside this process.
import { composeService } from './compose-service.js'
import { quantile } from './numbers.js'
import { usernameOf } from './people.js'

const OPERATOR = { kind: 'host', name: 'benchmark', may: 'all' }
const PAGE = { limit: 50, sort: '-date_joined' }

const expectPage = ({ results, next }) => {
  if (results.length !== PAGE.limit || next === null) throw new Error('This is not a whole page.')
  return next
}

/** Each asks once, about the user with that number, and checks the answer. */
export const ADMIN_CASES = {
  async listPage(find) {
    expectPage(await find(PAGE))
  },
  async nextPage(find, _n, { after }) {
    expectPage(await find({ ...PAGE, after }))
  },
  async search(find, n) {
    // With the sign, since `user12` is also a part of `user120`.
    const { results } = await find({ q: `${usernameOf(n)}@` })
    if (results.length !== 1 || results[0].username !== usernameOf(n)) throw new Error('Not found.')
  },
}

/** `measure(name, seconds)` resolves with p50 and p99 in ms; `close()` ends it. */
export async function openAdminLists(url, size) {
  const service = await composeService(url)
  const find = (input) => service.services.operations.call(OPERATOR, 'users.find', input)
  const kept = { after: expectPage(await find(PAGE)) }
  return {
    async measure(name, seconds) {
      const latencies = []
      for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
        const n = 1 + Math.floor(Math.random() * size)
        const begun = performance.now()
        await ADMIN_CASES[name](find, n, kept)
        latencies.push(performance.now() - begun)
      }
      return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
    },
    close: () => service.close(),
  }
}
