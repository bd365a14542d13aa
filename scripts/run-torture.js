// The proofs of docs/proofs.md at full size: `npm run torture -- <name>|all`. Needs a build. Everything
// runs on loopback. `--help` lists the proofs.
import { mkdir, writeFile } from 'node:fs/promises'
import { arch, availableParallelism, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { proofs } from './torture/proofs.js'
import { INTERRUPTED, missingFor, runProof } from './torture/run-proof.js'

const { values: flags, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string', default: join(tmpdir(), 'latchkey-torture') },
    small: { type: 'boolean', default: false },
    broken: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const unknown = names.filter((name) => name !== 'all' && !proofs.some((one) => one.name === name))

if (flags.help || names.length === 0) say(helpText())
else if (unknown.length > 0) fail(2, `Unknown: ${unknown.join(', ')}. "--help" lists all proofs.`)
else for (const proof of proofs.filter(isWanted)) await prove(proof)

function isWanted({ name }) {
  return names.includes(name) || names.includes('all')
}

async function prove(proof) {
  if (process.exitCode === INTERRUPTED) return undefined
  const missing = missingFor(proof)
  if (missing.length > 0) return fail(2, `CANNOT ${proof.name}: first ${missing.join(', ')}`)
  const options = {
    size: flags.small ? 'small' : 'full',
    minutes: flags.minutes === undefined ? undefined : Number(flags.minutes),
    seed: Number(flags.seed),
    say: (text) => process.stderr.write(`  ${proof.name}: ${text}\n`),
  }
  if (!flags.broken) return report(proof, options, await runProof(proof, options))
  for (const edit of proof.broken) {
    if (process.exitCode === INTERRUPTED) return undefined
    const { held, failed, figure, seconds } = await runProof(proof, options, edit)
    const line = `${proof.name}, broken on purpose (${edit.why}): ${figure} (${seconds} s)`
    if (held || failed) fail(1, `MISSED ${line}`)
    else say(`NOTICED ${line}`)
  }
}

async function report(
  { name, shows },
  { size, minutes, seed },
  { held, figure, details, seconds },
) {
  const line = `${name}: ${figure} (${seconds} s)`
  if (held) say(`HELD ${line}`)
  else fail(1, `BROKEN ${line}`)
  const machine = `${platform()} ${arch()}, ${availableParallelism()} cores, Node ${process.version}`
  const date = new Date().toISOString()
  const record = { name, shows, held, figure, size, minutes, seed, seconds, date, machine, details }
  await mkdir(flags.json, { recursive: true })
  await writeFile(join(flags.json, `${name}.json`), `${JSON.stringify(record, null, 2)}\n`)
}

function helpText() {
  const rows = proofs.map(({ name, shows, needs }) => {
    const also = needs.length > 0 ? ` (needs ${needs.join(', ')})` : ''
    return `  ${name.padEnd(12)} ${shows}${also}`
  })
  return `npm run torture -- <proof> … | all [options]

Each proof prints one line and writes <name>.json. The exit code is 1 if one of them does not hold, and 2 if one
cannot run.

${rows.join('\n')}

  --minutes N   for proofs that run for a time
  --seed N      for proofs that choose at random (1)
  --small       a short form, for trying
  --broken      run against products that are broken on purpose, and fail if a proof does not notice
  --json DIR    where to write the results (${flags.json})`
}

function say(line) {
  process.stdout.write(`${line}\n`)
}

function fail(code, line) {
  process.exitCode = Math.max(process.exitCode ?? 0, code)
  say(line)
}
