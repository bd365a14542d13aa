import { drive } from './client.js'
import { median, medians, quantile } from './numbers.js'

/**
 * Measures several servers with the same case, in turn, round by round. A machine that slows down then
 * slows all of them, so the ratios within a round hold. `servers` has for each name
 * `{ server, script }`; the first one is what the others are compared with.
 * Resolves with the medians for each name: requests per second, CPU time per request in microseconds,
 * p50 and p99 in ms, and `share`: the CPU time of the first one divided by that of this one.
 */
export async function measureInTurn(
  servers,
  { rounds, seconds, connections, warmUp = 2 * seconds },
) {
  const names = Object.keys(servers)
  // The first requests do not count, since code is compiled while it runs.
  for (const name of names) await measureOnce(servers[name], { seconds: warmUp, connections })
  const taken = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    // The first one of a round is not always the same.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      taken[name].push(await measureOnce(servers[name], { seconds, connections }))
    }
  }
  const [first = ''] = names
  const shares = (name) => taken[name].map(({ cpu }, round) => taken[first][round].cpu / cpu)
  return Object.fromEntries(
    names.map((name) => [name, { ...medians(taken[name]), share: median(shares(name)) }]),
  )
}

export async function measureOnce({ server, script }, { seconds, connections }) {
  const before = await server.stats()
  const { url } = server
  const { count, seconds: took, latencies } = await drive({ url, script, connections, seconds })
  const { cpu } = await server.stats()
  return {
    rate: count / took,
    cpu: (cpu - before.cpu) / count,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  }
}
