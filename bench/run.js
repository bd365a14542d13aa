// `npm run bench`: everything that docs/performance.md shows.
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { drawCharts } from './lib/chart.js'
import { missedGoals } from './lib/goals.js'
import { sectionsOf } from './lib/tables.js'
import { measureFloors } from './sections/floors.js'
import { measureLogins } from './sections/logins.js'
import { arePeersInstalled, installPeers, measurePeers } from './sections/peers.js'
import { measureWeight } from './sections/weight.js'
import { measureWorkers } from './sections/workers.js'

const LATEST = fileURLToPath(new URL('./results/latest.json', import.meta.url))
const SECTIONS = {
  weight: measureWeight,
  floors: measureFloors,
  logins: measureLogins,
  workers: measureWorkers,
  peers: measurePeers,
}
const FULL = {
  weight: { rounds: 11 },
  // V8 still compiles after thousands of requests.
  floors: { rounds: 9, seconds: 0.8, warmUp: 5 },
  logins: { rounds: 5, seconds: 4 },
  workers: { rounds: 7, seconds: 2 },
  peers: { rounds: 7, seconds: 1 },
}
const QUICK = {
  weight: { rounds: 5 },
  floors: { rounds: 5, seconds: 0.5, rest: 5000 },
  logins: { rounds: 3, seconds: 2 },
  workers: { rounds: 3, seconds: 1 },
  peers: { rounds: 3, seconds: 1 },
}
const SMOKE = { rounds: 1, seconds: 0.01, warmUp: 0, rest: 0 }

const HELP = `Measure what docs/performance.md shows.

Usage: npm run bench -- [options]

  --quick         Take about five minutes, with fewer rounds
  --only <parts>  Measure only these, such as weight,floors, and keep the earlier results of the others
                  if they are from this machine. There are ${Object.keys(SECTIONS).join(', ')}
  --sqlite        Measure only that database
  --peers         Install other programs to compare with (bench/peers) if they are missing
  --out <file>    Write the results there instead of bench/results/latest.json
  --smoke         Only show that everything works: measure nothing, and write nothing
  --help          Show this help
`

const { values: given } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    sqlite: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    only: { type: 'string' },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (given.help) {
  process.stdout.write(HELP)
  process.exit()
}
const say = (line) => void process.stderr.write(`${line}\n`)

if (given.peers && !arePeersInstalled()) installPeers()
const wanted = given.only?.split(',') ?? Object.keys(SECTIONS)
const unknown = wanted.filter((name) => !(name in SECTIONS))
if (unknown.length > 0)
  throw new Error(`No such section: ${unknown}. They are ${Object.keys(SECTIONS)}.`)

const taken = {
  at: new Date().toISOString(),
  kind: given.smoke ? 'smoke' : given.quick ? 'quick' : 'full',
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  memory: totalmem(),
}
const file = given.out ? resolve(given.out) : given.smoke ? null : LATEST
const results = { ...earlierResults(), taken }
const failures = []
const begun = performance.now()
for (const name of wanted) {
  if (name === 'peers' && !arePeersInstalled()) {
    say('The peers are not installed, and not measured. `npm run bench -- --peers` installs them.')
    continue
  }
  const effort = given.smoke ? SMOKE : (given.quick ? QUICK : FULL)[name]
  const engines = given.sqlite ? ['sqlite'] : ['sqlite', 'postgres']
  try {
    results[name] = await SECTIONS[name]({ ...effort, engines, say })
  } catch (error) {
    // What else can be measured is not lost.
    failures.push(`${name} failed: ${error.stack}`)
  }
  taken.minutes = Number(((performance.now() - begun) / 60_000).toFixed(1))
  if (file) await keep(file)
}

for (const { title, table, note } of sectionsOf(results)) {
  process.stdout.write(`\n${title}\n${note}\n\n${table}\n`)
}
if (file) process.stdout.write(`\nWritten to ${file}.\n`)
process.stdout.write(`\nThis took ${taken.minutes} minutes.\n`)
const missed = missedGoals(results)
process.stdout.write(
  missed.length === 0
    ? 'Every goal was met.\n'
    : `Goals that were missed:\n- ${missed.join('\n- ')}\n`,
)
for (const failure of failures) process.stderr.write(`${failure}\n`)
process.exitCode = missed.length + failures.length === 0 ? 0 : 1

/** Other sections of the same kind of run, on the same machine. */
function earlierResults() {
  if (!given.only || !file || !existsSync(file)) return {}
  const earlier = JSON.parse(readFileSync(file, 'utf8'))
  const isSame = ['kind', 'node', 'cpu', 'cores'].every(
    (name) => earlier.taken[name] === taken[name],
  )
  return isSame ? earlier : {}
}

/** Writes the results, and the charts beside them. */
async function keep(path) {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `${JSON.stringify(results, null, 2)}\n`)
  for (const [suffix, svg] of Object.entries(drawCharts(results))) {
    await writeFile(path.replace(/(\.json)?$/, suffix), svg)
  }
}
