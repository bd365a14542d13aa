// What a second worker adds, measured with a client that costs little. Beside it, what a second bare server adds: how
// much of a second core a machine has to give differs.
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { drive } from '../lib/client.js'
import { onEach, prepareDatabase } from '../lib/databases.js'
import { median } from '../lib/numbers.js'
import { keyOf, SECRET_KEY } from '../lib/people.js'
import { canSeeProcesses, usageOfTree } from '../lib/processes.js'
import { scripts } from '../lib/requests.js'
import { FLOOR, startServer, startService } from '../lib/server.js'

const run = promisify(execFile)
const CONNECTIONS = 16
const COUNTS = [1, 2]
/** Exactly as users start it: processes of a service must not inherit the probe. */
const PLAIN = { nodeArgs: [] }

const hasWrk = spawnSync('wrk', ['--version']).error === undefined

/** Starts so many processes of each, and resolves with what to stop. */
const PROGRAMS = {
  latchkey: async (count, env, folder) => [
    await startService({ ...env, WORKERS: String(count) }, folder, PLAIN),
  ],
  floor: (count, env, folder) =>
    Promise.all(
      Array.from({ length: count }, () => startServer([FLOOR], { env, folder, ...PLAIN })),
    ),
}

/** Null if the machine does not tell the CPU time of processes. */
export async function measureWorkers({ rounds, seconds, say }) {
  if (!canSeeProcesses) return null
  const { sqlite } = await onEach(['sqlite'], async (url, folder) => {
    const env = { DATABASE_URL: url, SECRET_KEY }
    if (!hasWrk) {
      say(
        'wrk is not installed (a package of Debian and Homebrew): another client takes its place.',
      )
    }
    await prepareDatabase(url, folder, { to: 1000 })
    const taken = { latchkey: { 1: [], 2: [] }, floor: { 1: [], 2: [] } }
    // One at a time: workers that only wait would still take part of the memory and the caches.
    for (let round = 0; round < rounds; round++) {
      for (const [name, start] of Object.entries(PROGRAMS)) {
        for (const count of COUNTS) {
          say(`workers: ${name}, ${count}, round ${round + 1}`)
          const servers = await start(count, env, folder)
          try {
            taken[name][count].push(await measure(servers, seconds))
          } finally {
            await Promise.all(servers.map((server) => server.stop()))
          }
        }
      }
    }
    return {
      client: hasWrk ? 'wrk' : 'the client of the benchmark',
      ...compared(taken.latchkey),
      floor: compared(taken.floor),
    }
  })
  return sqlite
}

/** What one and two reach, and the ratios within the rounds. */
function compared(taken) {
  const of = (count, name) => median(taken[count].map((each) => each[name]))
  const ratio = (name) => median(taken[1].map((one, round) => taken[2][round][name] / one[name]))
  return {
    counts: Object.fromEntries(
      COUNTS.map((count) => [count, { rate: of(count, 'rate'), cpu: of(count, 'cpu') }]),
    ),
    gain: ratio('rate'),
    cpuRatio: ratio('cpu'),
  }
}

async function measure(servers, seconds) {
  const cpu = () => servers.reduce((sum, { pid }) => sum + usageOfTree(pid).cpu, 0)
  // The first requests do not count, since code is compiled while it runs.
  await loadAll(servers, 2 * seconds)
  const before = cpu()
  const { rate, answers } = await loadAll(servers, seconds)
  return { rate, cpu: (cpu() - before) / answers }
}

async function loadAll(servers, seconds) {
  const connections = CONNECTIONS / servers.length
  const loads = await Promise.all(servers.map(({ url }) => load(url, { seconds, connections })))
  const sum = (name) => loads.reduce((total, each) => total + each[name], 0)
  return { rate: sum('rate'), answers: sum('answers') }
}

async function load(url, { seconds, connections }) {
  if (!hasWrk) {
    const script = (index) => scripts.userByToken(index + 1)
    const { count, seconds: took } = await drive({ url, script, seconds, connections })
    return { rate: count / took, answers: count }
  }
  const args = ['-t1', `-c${connections}`, `-d${Math.max(1, Math.round(seconds))}s`]
  const header = `Authorization: Token ${keyOf(1)}`
  const { stdout } = await run('wrk', [...args, '-H', header, `${url}user/`])
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout)
  return {
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    answers: Number(/(\d+) requests in/.exec(stdout)?.[1]),
  }
}
