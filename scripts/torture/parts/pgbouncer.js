import { spawn } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { end } from '../../run-program.js'
import { findProgram } from './programs.js'

/** It refuses to run as root. */
const OTHER_USER = 'postgres'

/**
 * PgBouncer with pools of two. Apart from that, the configuration has only what it needs to find the
 * server and its users.
 */
export async function startPgBouncer(folder, { port, serverPort, mode }) {
  const own = join(folder, `pgbouncer-${mode}-${port}`)
  await mkdir(own, { recursive: true })
  await chmod(own, 0o777)
  const isRoot = process.getuid() === 0
  await writeFile(
    join(own, 'pgbouncer.ini'),
    `[databases]
* = host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(own, 'users.txt')}
auth_user = latchkey
pool_mode = ${mode}
default_pool_size = 2
max_client_conn = 2000
${isRoot ? `user = ${OTHER_USER}` : ''}
`,
  )
  await writeFile(join(own, 'users.txt'), '"latchkey" "latchkey"\n')
  const { command } = findProgram('pgbouncer')
  const child = spawn(command, [join(own, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text) => {
    said = `${said}${text}`.slice(-10_000)
  })
  for (let tries = 1; !(await isListening(port)); tries++) {
    if (child.exitCode !== null || tries === 100)
      throw new Error(`PgBouncer did not start:\n${said}`)
    await setTimeout(50)
  }
  return { port, stop: () => end(child) }
}

const isListening = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
