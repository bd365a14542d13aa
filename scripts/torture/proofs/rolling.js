import { setTimeout } from 'node:timers/promises'
import { freePort } from '../../free-port.js'
import { databases } from '../parts/both-databases.js'
import { countStatuses } from '../parts/client.js'
import { startFrontProxy } from '../parts/front-proxy.js'
import { ownFolder } from '../parts/own-folder.js'
import { startInstance, startService } from '../parts/service.js'
import { mixOf, startSteadyLoad } from '../parts/steady-load.js'

const ROUNDS = { full: 20, small: 2 }
const RATE = { full: 300, small: 100 }
/** Lets the load reach all instances before the next one stops. */
const CALM_MS = 1000
const SETTINGS = {
  // As docs/deployment.md advises.
  SHUTDOWN_DELAY: '5s',
  LOG_LEVEL: 'warn',
  // A busy machine must not refuse what the proof counts.
  DATABASE_READ_TIMEOUT: '30s',
  DATABASE_WRITE_TIMEOUT: '60s',
}

/** What is restarted, one program after the other. Workers of one program stop together, so there are two. */
const DEPLOYMENTS = [
  { name: '3 instances', instances: 3, settings: {} },
  { name: '2 instances of 3 workers', instances: 2, settings: { WORKERS: '3' } },
]

export const rolling = {
  name: 'rolling',
  shows:
    'rolling restarts of three instances, and of three workers, behind HAProxy: no request is lost',
  needs: ['haproxy'],
  broken: [
    {
      file: 'src/server/drain.ts',
      from: 'if (delayMs > 0) await new Promise((over) => setTimeout(over, delayMs))',
      to: '',
      why: 'SHUTDOWN_DELAY does nothing',
    },
    {
      file: 'src/server/operation-routes.ts',
      from: 'if (closing) throw unavailable()',
      to: '',
      why: '/readyz stays 200 while the service stops',
    },
  ],

  async run(options) {
    const details = {}
    for (const one of DEPLOYMENTS) details[one.name] = await restartAll(one, options)
    const results = Object.entries(details)
    return {
      held: results.every(([, { unexpected }]) => unexpected.length === 0),
      figure: results.map(([name, result]) => `${name}: ${wordsOf(result)}`).join('; '),
      details,
    }
  },
}

async function restartAll({ name, instances, settings }, options) {
  const { size, minutes = Number.POSITIVE_INFINITY, folder, server, say, atTheEnd } = options
  const own = await ownFolder(folder, name)
  const database = await databases.postgres(own)
  atTheEnd(database.stop)
  const running = new Map()
  const stopAll = () => Promise.all([...running.values()].map(({ stop }) => stop()))
  atTheEnd(stopAll)
  const start = async (port, startOne = startInstance) => {
    const all = { ...SETTINGS, ...settings, PORT: String(port) }
    running.set(port, await startOne(own, database.url, all, { server }))
  }
  const ports = await Promise.all(Array.from({ length: instances }, freePort))
  await start(ports[0], startService)
  const user = running.get(ports[0])
  for (const port of ports.slice(1)) await start(port)
  const proxy = await startFrontProxy(own, ports)
  atTheEnd(proxy.stop)
  await proxy.untilAllUp()
  const load = startSteadyLoad({ url: proxy.url, rate: RATE[size], next: mixOf(user) })
  atTheEnd(load.stop)

  // Both deployments share the time.
  const until = performance.now() + (minutes * 60_000) / DEPLOYMENTS.length
  let restarts = 0
  for (let round = 1; round <= ROUNDS[size] && performance.now() < until; round++) {
    for (const port of ports) {
      await setTimeout(CALM_MS)
      await running.get(port).stop()
      await start(port)
      await proxy.untilAllUp()
      restarts++
    }
    say(`${name}: ${round} rounds, lost: ${load.unexpected() || 'none'}`)
  }
  const result = await load.stop()
  await stopAll()
  return { restarts, ...result }
}

const wordsOf = ({ restarts, sent, perSecond, unexpected, slowestMs }) =>
  `${restarts} restarts, ${sent} requests at ${perSecond}/s, lost: ${countStatuses(unexpected) || 'none'}, slowest ${slowestMs} ms`
