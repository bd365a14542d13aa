// Starts a program that serves HTTP below /auth/ and prints its address: a build of the service, a floor or
// a peer.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { run } from '../../scripts/run-program.js'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
export const PROBE = here('./probe.js')
export const FLOOR = here('./floor.js')
export const LOGIN_FLOOR = here('./login-floor.js')

/** The program of a checkout that is built. */
export const programOf = (checkout) => join(checkout, 'packages/server/bin/latchkey.js')
export const thisProgram = programOf(here('../..'))

let started = 0

/**
 * Resolves when the server has printed its address. It prints into a file, as services do: reading its
 * log would take time from the client and change the result. Without the probe among the arguments of
 * Node, the server is exactly as users start it, but has no `stats`.
 */
export async function startServer(args, { env, folder, nodeArgs = ['--import', PROBE] }) {
  const log = join(folder, `server-${++started}.log`)
  const output = openSync(log, 'a')
  const child = spawn(process.execPath, [...nodeArgs, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', output, output, ...(nodeArgs.includes(PROBE) ? ['ipc'] : [])],
  })
  closeSync(output)
  const exited = once(child, 'exit')
  let url
  while (!url) {
    if (child.exitCode !== null) throw new Error(`exit ${child.exitCode}:\n${readFileSync(log)}`)
    await setTimeout(5)
    url = /http:\/\/[^\s"]+\/auth\//.exec(readFileSync(log, 'utf8'))?.[0]
  }
  return {
    url,
    pid: child.pid,
    /** The CPU time so far in microseconds, and the memory in bytes. */
    async stats() {
      child.send('stats')
      const [stats] = await once(child, 'message')
      return stats
    },
    /** Resolves with the exit code. */
    async stop() {
      child.kill('SIGTERM')
      const [code] = await exited
      return code
    },
  }
}

export const startService = (env, folder, { program = thisProgram, nodeArgs } = {}) =>
  startServer([program, 'serve'], { env: { PORT: '0', ...env }, folder, nodeArgs })

/** Runs a command of the program, and returns what it prints. */
export async function runCommand(
  args,
  { env, folder, program = thisProgram, input, nodeArgs = [] },
) {
  const { code, stdout, stderr } = await run(process.execPath, [...nodeArgs, program, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    input,
  })
  if (code !== 0) throw new Error(`latchkey ${args.join(' ')}: exit ${code}\n${stdout}${stderr}`)
  return stdout
}
