import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { end } from '../../run-program.js'
import { findProgram } from './programs.js'

/** Runs HAProxy with this configuration. */
export async function startHaproxy(folder, configuration) {
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, configuration)
  const child = spawn(findProgram('haproxy').command, ['-db', '-f', file], { stdio: 'ignore' })
  return { stop: () => end(child) }
}
