import { readFile } from 'node:fs/promises'
import { freePort } from '../../free-port.js'
import { createGenerator } from '../hostile/generate.js'
import { faultOf, growthOf } from '../hostile/judge.js'
import { openTargets } from '../hostile/targets.js'
import { createClient } from '../parts/client.js'
import { startDeployment } from '../parts/deployments.js'
import { seededRandom } from '../parts/random.js'
import { sendBytes } from '../parts/wire.js'

const SIZES = { full: 50_000, small: 2000 }
const LANES = 16
const PATIENCE_MS = 60_000
/** Credentials die under such requests. New ones come after so many. */
const GENERATION = 2500
/** How often the memory is looked at. */
const SAMPLE = 50
/** How many faults are told; the file has more. */
const SHOWN = 20
const GROWTH_MAX_MB = 64

export const hostile = {
  name: 'hostile',
  shows:
    'malformed requests to all endpoints, listeners and mounts: no 5xx, no hang, no leak, memory flat',
  needs: [],
  broken: [
    {
      why: 'a text with a null character reaches the database',
      file: 'src/kernel/texts.ts',
      from: '    ...charactersOf(value),\n',
      to: '',
    },
  ],

  async run(options) {
    const { size, seed, say, folder, server, atTheEnd } = options
    const random = seededRandom(seed)
    const adminListen = { ADMIN_LISTEN: `127.0.0.1:${await freePort()}` }
    const deployment = await startDeployment('PostgreSQL, 1 instance', options, adminListen)
    const client = createClient({ patienceMs: PATIENCE_MS })
    atTheEnd(client.close)
    const { targets, pids } = await openTargets({ client, deployment, server, atTheEnd })

    const faults = []
    const statuses = {}
    const memory = pids.map(() => [])
    let sent = 0
    let answered = 0
    while (sent < SIZES[size]) {
      const credentials = await newCredentials(deployment)
      const generators = targets.map(({ endpoints }) =>
        createGenerator(random, endpoints, credentials),
      )
      const batch = Math.min(GENERATION, SIZES[size] - sent)
      // Drawn in advance, so that the order of the answers changes nothing.
      const requests = Array.from({ length: batch }, () => {
        const at = random.below(targets.length)
        return { ...generators[at](), target: targets[at] }
      })
      await inLanes(requests, async (request) => {
        const reply = await send(client, request)
        answered += 1
        if (answered % SAMPLE === 0) {
          for (const [i, pid] of pids.entries()) memory[i].push(await residentBytes(pid))
        }
        statuses[reply.status] = (statuses[reply.status] ?? 0) + 1
        const fault = faultOf(reply, folder)
        if (!fault) return
        faults.push(describe(request, fault))
        if (faults.length <= SHOWN) say(JSON.stringify(faults.at(-1)))
      })
      sent += batch
      say(`${sent} sent, ${faults.length} faults`)
    }
    const works = await deployment.people.signedIn().then(
      () => true,
      () => false,
    )
    const growth = Math.max(...memory.map(growthOf))
    const isFlat = growth <= GROWTH_MAX_MB
    return {
      held: faults.length === 0 && isFlat && works,
      figure: `${sent} requests to ${targets.length} targets, seed ${seed}: ${faults.length} faults, memory ${growth >= 0 ? '+' : ''}${growth} MB, ${works ? 'works' : 'does not work'} afterwards`,
      details: { statuses, growth, memory, faults: faults.slice(0, 100) },
    }
  },
}

/** Those of a user, of a user with a second factor, and of a program of the operators. */
async function newCredentials({ people, adminKey }) {
  const bearers = [await people.signedIn(), await people.withTotp()].map(({ access }) => access)
  return [...bearers, adminKey].map((access) => ({ authorization: `Bearer ${access}` }))
}

function send(client, { target, wire, method, path, headers, body }) {
  if (wire !== undefined) return sendBytes(target.origin, wire, PATIENCE_MS)
  return client.ask(method, target.origin, { path, headers, body })
}

const describe = ({ target, wire, method, path, headers, body }, fault) => ({
  ...{ fault, target: target.name, wire: wire?.slice(0, 200), method, path: path?.slice(0, 200) },
  ...{ headers, body: body?.toString().slice(0, 1000) },
})

async function inLanes(requests, work) {
  const queue = requests.values()
  const lane = async () => {
    for (const request of queue) await work(request)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

async function residentBytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) * 1024
}
