// What the service weighs: the time to start, the memory of an idle one, and the installed files.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { inFolder } from '../../scripts/in-folder.js'
import { npm } from '../../scripts/lockfile/apart.js'
import { ask } from '../lib/client.js'
import { median } from '../lib/numbers.js'
import { canSeeProcesses, usageOfTree } from '../lib/processes.js'
import { startService, thisProgram } from '../lib/server.js'

const SERVER = fileURLToPath(new URL('../../packages/server', import.meta.url))

const IDLE_AFTER = 40_000

/** Exactly as users start it. */
const PLAIN = { nodeArgs: [] }

/** Null where the memory of another process is not told. */
export const measureWeight = ({ rounds, rest = IDLE_AFTER, say }) =>
  inFolder(async (folder) => {
    if (!canSeeProcesses) return null
    say('weight: start, memory, size')
    // The first start does not count: it makes the database, and loads the files into memory.
    await startOnce(folder)
    const starts = []
    for (let round = 0; round < rounds; round++) {
      starts.push({
        ...(await startOnce(folder)),
        version: timed([thisProgram, 'version']),
        node: timed(['--eval', '0']),
      })
    }
    const of = (name) => median(starts.map((each) => each[name]))
    return {
      startMs: of('took'),
      startCpuMs: of('cpu'),
      nodeMs: of('node'),
      startPerNode: median(starts.map(({ took, node }) => took / node)),
      versionMs: of('version'),
      idleBytes: await idleMemory(folder, rest),
      ...installed(),
    }
  })

async function startOnce(folder) {
  const begun = performance.now()
  const service = await startService({}, folder, PLAIN)
  await ask(service.url, { path: 'user/', status: 401 })
  const took = performance.now() - begun
  const { cpu } = usageOfTree(service.pid)
  await service.stop()
  return { took, cpu: cpu / 1000 }
}

/** When the parts that a start does not need are loaded, too, and V8 has given back what the start took. */
async function idleMemory(folder, rest) {
  const service = await startService({}, folder, PLAIN)
  await setTimeout(rest)
  const { rss } = usageOfTree(service.pid)
  await service.stop()
  return rss
}

function timed(args) {
  const begun = performance.now()
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' })
  if (status !== 0) throw new Error(`exit ${status}`)
  return performance.now() - begun
}

/** What `npm install latchkey` puts on the disk of this machine: its own files and its dependencies. */
function installed() {
  const packed = JSON.parse(npm(['pack', '--dry-run', '--json', '--ignore-scripts'], SERVER))
  const { unpackedSize } = Object.values(packed)[0]
  const folders = dependenciesOf(SERVER, new Set())
  const sizes = [...folders].map(sizeOf)
  return {
    packages: 1 + folders.size,
    installedBytes: sizes.reduce((sum, size) => sum + size, unpackedSize),
  }
}

function dependenciesOf(folder, found) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { dependencies = {}, optionalDependencies = {} } = manifest
  const require = createRequire(join(folder, 'package.json'))
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const place = (require.resolve.paths(name) ?? [])
      .map((modules) => join(modules, name))
      .find((candidate) => existsSync(candidate))
    // Binaries for other platforms are not installed.
    if (!place || found.has(realpathSync(place))) continue
    found.add(realpathSync(place))
    dependenciesOf(place, found)
  }
  return found
}

function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath ?? entry.path, entry.name)).size)
    .reduce((sum, size) => sum + size, 0)
}
