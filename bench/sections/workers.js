// What a second worker adds, measured with a client that costs little.
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { drive } from '../lib/client.js'
import { onEach, prepareDatabase } from '../lib/databases.js'
import { median } from '../lib/numbers.js'
import { keyOf, SECRET_KEY } from '../lib/people.js'
import { canSeeProcesses, usageOfTree } from '../lib/processes.js'
import { scripts } from '../lib/requests.js'
import { runCommand, startService } from '../lib/server.js'

const run = promisify(execFile)
const CONNECTIONS = 16
const COUNTS = [1, 2]
/** Exactly as users start it: processes of a service must not inherit the probe. */
const PLAIN = { nodeArgs: [] }

const hasWrk = spawnSync('wrk', ['--version']).error === undefined

/** Null if this build has no workers, or the machine does not tell the CPU time of processes. */
export async function measureWorkers({ rounds, seconds, say }) {
  const { sqlite } = await onEach(['sqlite'], async (url, folder) => {
    const env = { DATABASE_URL: url, SECRET_KEY }
    const settings = await runCommand(['settings', '--json'], { env, folder })
    if (!settings.includes('"WORKERS"') || !canSeeProcesses) return null
    if (!hasWrk) {
      say(
        'wrk is not installed (a package of Debian and Homebrew): another client takes its place.',
      )
    }
    await prepareDatabase(url, folder, { to: 1000 })
    const taken = Object.fromEntries(COUNTS.map((count) => [count, []]))
    // One at a time: workers that only wait would still take part of the memory and the caches.
    for (let round = 0; round < rounds; round++) {
      for (const count of COUNTS) {
        say(`workers: ${count}, round ${round + 1}`)
        const service = await startService({ ...env, WORKERS: String(count) }, folder, PLAIN)
        try {
          await load(service.url, seconds)
          const before = usageOfTree(service.pid)
          const { rate, answers } = await load(service.url, seconds)
          const { cpu } = usageOfTree(service.pid)
          taken[count].push({ rate, cpu: (cpu - before.cpu) / answers })
        } finally {
          await service.stop()
        }
      }
    }
    const ratios = (name) => taken[1].map((one, round) => taken[2][round][name] / one[name])
    return {
      client: hasWrk ? 'wrk' : 'the client of the benchmark',
      counts: Object.fromEntries(
        COUNTS.map((count) => [
          count,
          {
            rate: median(taken[count].map(({ rate }) => rate)),
            cpu: median(taken[count].map(({ cpu }) => cpu)),
          },
        ]),
      ),
      gain: median(ratios('rate')),
      cpuRatio: median(ratios('cpu')),
    }
  })
  return sqlite
}

async function load(url, seconds) {
  if (!hasWrk) {
    const script = (index) => scripts.userByToken(index + 1)
    const { count, seconds: took } = await drive({ url, script, seconds, connections: CONNECTIONS })
    return { rate: count / took, answers: count }
  }
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${Math.max(1, Math.round(seconds))}s`]
  const header = `Authorization: Token ${keyOf(1)}`
  const { stdout } = await run('wrk', [...args, '-H', header, `${url}user/`])
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout)
  return {
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    answers: Number(/(\d+) requests in/.exec(stdout)?.[1]),
  }
}
