// Changes the sources that carry the security of the product, one small change at a time, and looks whether
// a test notices. `npm run mutants -- --help` lists the areas.
import { readFile, writeFile } from 'node:fs/promises'
import { arch, availableParallelism, platform } from 'node:os'
import { parseArgs } from 'node:util'
import { areas } from './mutants/areas.js'
import { explained } from './mutants/explained.js'
import { tryArea } from './mutants/try-area.js'

const { values: flags, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    again: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
// Vitest must not outlive it.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(2))
const unknown = names.filter((name) => !(name in areas))

if (flags.help) say(helpText())
else if (unknown.length > 0) fail(2, `Unknown: ${unknown.join(', ')}. "--help" lists all areas.`)
else await tryAll(names.length > 0 ? names : Object.keys(areas))

async function tryAll(wanted) {
  const results = []
  const former = flags.again ? JSON.parse(await readFile(flags.again, 'utf8')).areas : []
  for (const name of wanted) {
    const begun = Date.now()
    const progress = (text) => process.stderr.write(`  ${name}: ${text}\n`)
    const before = former.find((one) => one.name === name)?.verdicts ?? []
    const tried = await tryArea(areas[name], before, progress)
    results.push(report(name, tried, Math.round((Date.now() - begun) / 1000)))
    if (flags.json) await writeFile(flags.json, `${JSON.stringify(recordOf(results), null, 2)}\n`)
  }
}

function report(name, tried, seconds) {
  const verdicts = withReasons(tried)
  const unnoticed = verdicts.filter(({ noticedBy }) => noticedBy === null)
  const survivors = unnoticed.filter(({ why }) => !why)
  const counts = [
    `${tried.length} mutants`,
    `${tried.length - unnoticed.length} noticed`,
    `${unnoticed.length - survivors.length} explained`,
    `${survivors.length} not noticed`,
  ]
  say(`${name}: ${counts.join(', ')} (${seconds} s)`)
  for (const one of survivors) fail(1, asText(one))
  for (const one of stale(verdicts)) fail(1, `${asText(one)}\n    is explained, but no longer so`)
  return { name, seconds, verdicts }
}

function isOf(explanation, mutant) {
  return ['file', 'was', 'is'].every((key) => explanation[key] === mutant[key])
}

/** Each explanation is good for one mutant that was not noticed. */
function withReasons(tried) {
  const left = [...explained]
  return tried.map((mutant) => {
    const index = mutant.noticedBy ? -1 : left.findIndex((one) => isOf(one, mutant))
    return index < 0 ? mutant : { ...mutant, why: left.splice(index, 1)[0].why }
  })
}

/** Explanations of mutants that are noticed meanwhile, or that no longer exist. */
function stale(verdicts) {
  const files = new Set(verdicts.map(({ file }) => file))
  return explained
    .filter(({ file }) => files.has(file))
    .filter((one) => !verdicts.some((mutant) => isOf(one, mutant) && mutant.noticedBy === null))
}

function asText({ file, line, was, is }) {
  const place = line === undefined ? file : `${file}:${line}`
  return `  ${place}\n    - ${was}\n    + ${is || '(nothing)'}`
}

function recordOf(results) {
  const machine = `${platform()} ${arch()}, ${availableParallelism()} cores, Node ${process.version}`
  return { date: new Date().toISOString(), machine, areas: results }
}

function helpText() {
  const rows = Object.entries(areas).map(([name, { shows }]) => `  ${name.padEnd(12)} ${shows}`)
  return `npm run mutants -- [area …] [--json FILE] [--again FILE]

Tries every mutant of the sources of these areas, or of all areas, against the tests that reach it, on SQLite.
A mutant is a small change: a condition that always or never holds, a swapped comparison, a statement, a
throw or a step of a query that is gone. Prints every mutant that no test notices. The exit code is 1
if there is one that scripts/mutants/explained.js does not explain.

${rows.join('\n')}

  --json FILE   writes every mutant, and the test that noticed it
  --again FILE  tries only mutants that no test noticed in the run that wrote this file`
}

function say(text) {
  process.stdout.write(`${text}\n`)
}

function fail(code, text) {
  process.exitCode = code
  process.stderr.write(`${text}\n`)
}
