// Brings docs/performance.md up to date: `node bench/write-performance.js`. Replaces what stands
// between its markers by the tables of bench/results/latest.json, and of growth.json if it is there, and draws the
// chart. Results of a quick run are refused, unless `--quick` allows them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { drawCharts } from './lib/chart.js'
import { growthSections } from './lib/growth-table.js'
import { sectionsOf } from './lib/tables.js'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const PAGE = here('../docs/performance.md')
const CHART = here('../docs/images/performance')
const [BEGIN, END] = ['<!-- measured: begin -->', '<!-- measured: end -->']

const read = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null)
const results = read(here('./results/latest.json'))
const growth = read(here('./results/growth.json'))
const accepted = process.argv.includes('--quick') ? ['full', 'quick'] : ['full']
if (!accepted.includes(results?.taken.kind)) {
  const found = results ? `only those of a ${results.taken.kind} run` : 'none'
  process.stderr.write(
    `This needs the results of a full run, and there are ${found}: npm run bench\n`,
  )
  process.exit(1)
}

for (const [suffix, svg] of Object.entries(drawCharts(results))) {
  writeFileSync(`${CHART}${suffix}`, svg)
}
const page = readFileSync(PAGE, 'utf8')
const [before, rest = ''] = page.split(BEGIN)
const [, after] = rest.split(END)
if (after === undefined) throw new Error(`${PAGE} has no markers.`)
writeFileSync(PAGE, `${before}${BEGIN}\n\n${measured().join('\n\n')}\n\n${END}${after}`)

function measured() {
  const { at, node, cores, cpu, platform, memory, kind } = results.taken
  const machine = `${cores} cores (${cpu}, ${platform}), ${Math.round(memory / 2 ** 30)} GiB`
  const sections = sectionsOf(results, growthSections(growth ?? {}))
  return [
    `Measured on ${at.slice(0, 10)} with Node ${node.slice(1)} on ${machine}, ${kind === 'full' ? 'a full run' : `a ${kind} run`}.`,
    `<picture>
  <source media="(prefers-color-scheme: dark)" srcset="images/performance-dark.svg">
  <img src="images/performance.svg" alt="CPU time per request of Latchkey, of a bare server and of other programs">
</picture>`,
    ...sections.flatMap(({ title, note, table }) => [`### ${title}`, table, note]),
  ]
}
