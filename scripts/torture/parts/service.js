import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { end, run } from '../../run-program.js'

/** The program that was built last. */
export const BUILT = fileURLToPath(
  new URL('../../../packages/server/bin/latchkey.js', import.meta.url),
)
export const SECRET_KEY = 'for the time of this run only, long enough'
const credentials = { username: 'ada', password: 'a-good-password' }
const START_MS = 60_000
let started = 0

/**
 * The program as an operator starts it: one instance, or several workers with `WORKERS`.
 * `server` is the path of its `bin/latchkey.js`.
 */
export async function startInstance(folder, databaseUrl, settings = {}, { server = BUILT } = {}) {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    SECRET_KEY,
    PORT: '0',
    LOG_LEVEL: 'info',
    ...settings,
  }
  // A file instead of a pipe, since nobody reads the output meanwhile.
  started += 1
  const log = join(folder, `${databaseUrl.split(':')[0]}-${started}.log`)
  const output = openSync(log, 'w')
  const child = spawn(process.execPath, [server, 'serve'], {
    cwd: folder,
    env,
    stdio: ['ignore', output, output],
  })
  const isAlive = () => child.exitCode === null && child.signalCode === null
  const url = await urlIn(log, isAlive)
  /** Runs a command of the program with the settings of the service, and returns what it prints. */
  const command = (args, input = '') => runCommand([server, ...args], input, { cwd: folder, env })

  return {
    url,
    log,
    pid: child.pid,
    isAlive,
    isReady: () =>
      fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(10_000) }).then(
        ({ status }) => status === 200,
        () => false,
      ),
    command,
    /** Returns the pk of the new user. */
    async createUser(username, ...options) {
      const args = ['user', 'create', '--username', username, ...options, '--password-stdin']
      const said = await command(args, `${credentials.password}\n`)
      return Number.parseInt(/^\d+$/m.exec(said)[0], 10)
    },
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child),
  }
}

/** An instance with a user who has a token. */
export async function startService(folder, databaseUrl, settings, options) {
  const instance = await startInstance(folder, databaseUrl, settings, options)
  await instance.createUser(credentials.username)
  const reply = await fetch(`${instance.url}login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  })
  const { key: token } = await reply.json()
  return { ...instance, credentials, token }
}

/** Several instances on one database. The first one migrates it. */
export async function startInstances(count, folder, databaseUrl, settings, options) {
  const start = () => startInstance(folder, databaseUrl, settings, options)
  const first = await start()
  const others = await Promise.all(Array.from({ length: count - 1 }, start))
  const instances = [first, ...others]
  return { instances, stop: () => Promise.all(instances.map(({ stop }) => stop())) }
}

async function runCommand(args, input, options) {
  const { code, stdout, stderr } = await run(process.execPath, args, { ...options, input })
  if (code !== 0) throw new Error(`"${args.slice(1).join(' ')}" failed:\n${stderr}`)
  return stdout
}

async function urlIn(log, isAlive) {
  for (const until = performance.now() + START_MS; performance.now() < until && isAlive(); ) {
    const [, url] = /serves (\S+)/.exec(await readFile(log, 'utf8')) ?? []
    if (url) return url
    await setTimeout(50)
  }
  throw new Error(`The service did not start:\n${await readFile(log, 'utf8')}`)
}
