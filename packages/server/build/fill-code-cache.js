// Starts the service once, so that V8 need not compile it at the next start (`src/launch.ts`). A build
// does this, and the image for its own platform: `node build/fill-code-cache.js`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const server = join(import.meta.dirname, '..')
const SECONDS = 30

/** Without it a start only takes longer, so a failure is no reason to stop. */
export async function fillCodeCache() {
  const cwd = mkdtempSync(join(tmpdir(), 'latchkey-code-cache-'))
  const child = spawn(
    process.execPath,
    [join(server, 'bin/latchkey.js'), 'serve', '--set', 'PORT=0'],
    // Nothing of the environment configures it.
    { cwd, env: { PATH: process.env.PATH }, stdio: 'ignore' },
  )
  const ended = once(child, 'exit')
  for (let i = 0; i < SECONDS * 10 && child.exitCode === null; i++) {
    if (existsSync(join(server, 'code-cache'))) break
    await setTimeout(100)
  }
  // All files are written at once, before the signal is heeded.
  child.kill('SIGTERM')
  await ended
  rmSync(cwd, { recursive: true, force: true })
  if (!existsSync(join(server, 'code-cache'))) {
    process.stderr.write('The service did not start here, so its first start has to compile it.\n')
  }
}

if (process.argv[1] === import.meta.filename) await fillCodeCache()
