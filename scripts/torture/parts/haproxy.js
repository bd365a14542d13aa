import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findProgram } from './programs.js'

/** Runs HAProxy with this configuration. */
export async function startHaproxy(folder, configuration) {
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, configuration)
  const child = spawn(findProgram('haproxy').command, ['-db', '-f', file], { stdio: 'ignore' })
  return {
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
