// `npm run release` refuses what is not ready, checks, tests, packs and tags. It publishes only
// with `--publish`. `--dry-run` stops after the refusals.
import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { reasonsToRefuse, versionOf } from './release/reasons-to-refuse.js'

const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean' }, publish: { type: 'boolean' } },
})
const root = process.cwd()
const version = versionOf(root)
const tag = `v${version}`
const packages = ['client', 'server'].flatMap((name) => ['--workspace', `packages/${name}`])
const files = ['latchkey-client', 'latchkey'].map((name) => `${name}-${version}.tgz`)

const reasons = reasonsToRefuse(root)
if (reasons.length > 0) {
  process.stderr.write(reasons.map((reason) => `${reason}\n`).join(''))
  process.exit(1)
}
if (values['dry-run']) {
  say(
    `Version ${version} is ready: it would be checked, tested, packed as ${files.join(' and ')} and tagged ${tag}.`,
  )
} else {
  run('npm', ['run', 'check'])
  run('npm', ['test'])
  run('npm', ['pack', ...packages])
  run('git', ['tag', '--annotate', tag, '--message', `Latchkey ${version}`])
  if (values.publish) for (const file of files) run('npm', ['publish', file])
  else {
    const lines = [`git push origin ${tag}`, ...files.map((file) => `npm publish ${file}`)]
    say(['Packed and tagged. To publish:', ...lines].join('\n  '))
  }
}

function run(program, args) {
  execFileSync(program, args, { cwd: root, stdio: 'inherit' })
}

function say(text) {
  process.stdout.write(`${text}\n`)
}
