// The service against the floor, on both databases, and what else a core does.
import { setTimeout } from 'node:timers/promises'
import { onEach, prepareDatabase } from '../lib/databases.js'
import { measureInTurn } from '../lib/measure.js'
import { SECRET_KEY } from '../lib/people.js'
import { SETTINGS, scripts } from '../lib/requests.js'
import { FLOOR, startServer, startService } from '../lib/server.js'

const FLOORED = [
  'userByToken',
  'userBySession',
  'userByJwt',
  'tokenVerify',
  'tokenVerifyNew',
  'tokenRefresh',
]
const ALONE = ['introspect', 'login']
const USERS = 1000
const CONNECTIONS = 8

/** By engine: for each case the floor and Latchkey, and the memory of the service in bytes. */
export const measureFloors = ({ engines, rounds, seconds, warmUp, rest = 30_000, say }) =>
  onEach(engines, async (url, folder, engine) => {
    await prepareDatabase(url, folder, { to: USERS })
    const env = { DATABASE_URL: url, SECRET_KEY }
    const servers = []
    const start = async (starting) => {
      servers.push(await starting)
      return servers.at(-1)
    }
    try {
      const service = await start(startService({ ...env, ...SETTINGS }, folder))
      const floor = await start(startServer([FLOOR], { env, folder }))
      await setTimeout(rest)
      const { rss: idle } = await service.stats()
      const cases = {}
      for (const name of [...FLOORED, ...ALONE]) {
        say(`${engine}: ${name}`)
        const script = (index) => scripts[name](index + 1)
        const compared = {
          ...(FLOORED.includes(name) && { floor: { server: floor, script } }),
          latchkey: { server: service, script },
        }
        const effort = { rounds, seconds, warmUp, connections: CONNECTIONS }
        cases[name] = await measureInTurn(compared, effort)
      }
      const { mostRss: load } = await service.stats()
      return { cases, memory: { idle, load } }
    } finally {
      for (const server of servers) await server.stop()
    }
  })
