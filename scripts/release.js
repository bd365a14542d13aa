// `npm run release`: refuses what is not ready, checks, tests, packs and tags. It publishes only
// when it is told to, with `--publish`; `--dry-run` stops after the refusals.
import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { reasonsToRefuse, versionOf } from './release/reasons-to-refuse.js'

const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean' }, publish: { type: 'boolean' } },
})
const root = process.cwd()
const version = versionOf(root)
const tag = `v${version}`
const file = `latchkey-${version}.tgz`

const reasons = reasonsToRefuse(root)
if (reasons.length > 0) {
  process.stderr.write(reasons.map((reason) => `${reason}\n`).join(''))
  process.exit(1)
}
if (values['dry-run']) {
  say(
    `Version ${version} is ready: it would be checked, tested, packed as ${file} and tagged ${tag}.`,
  )
} else {
  run('npm', ['run', 'check'])
  run('npm', ['test'])
  run('npm', ['pack', '--workspace', 'packages/server'])
  run('git', ['tag', '--annotate', tag, '--message', `Latchkey ${version}`])
  if (values.publish) run('npm', ['publish', file])
  else say(`Packed and tagged. To publish:\n  git push origin ${tag}\n  npm publish ${file}`)
}

function run(program, args) {
  execFileSync(program, args, { cwd: root, stdio: 'inherit' })
}

function say(text) {
  process.stdout.write(`${text}\n`)
}
