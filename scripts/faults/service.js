import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../packages/server/bin/latchkey.js', import.meta.url))
const credentials = { username: 'ada', password: 'a-good-password' }
const START_MS = 30_000

/** The program as an operator starts it, with a user who has a token. */
export async function startService(folder, databaseUrl, settings = {}) {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    SECRET_KEY: 'for the time of the faults only, long enough',
    PORT: '0',
    LOG_LEVEL: 'info',
    ...settings,
  }
  // A file instead of a pipe, since nobody reads the output meanwhile.
  const log = join(folder, `${databaseUrl.split(':')[0]}.log`)
  const child = spawn(process.execPath, [program, 'serve'], {
    cwd: folder,
    env,
    stdio: ['ignore', openSync(log, 'w'), 'inherit'],
  })
  const url = await urlIn(log)
  const createUser = (username, ...options) =>
    addUser(['--username', username, ...options], { cwd: folder, env })
  await createUser(credentials.username)
  const reply = await fetch(`${url}login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  })
  const { key: token } = await reply.json()

  return {
    url,
    credentials,
    token,
    createUser,
    pid: child.pid,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    isReady: () =>
      fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(10_000) }).then(
        ({ status }) => status === 200,
        () => false,
      ),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** Returns the pk of the new user. */
async function addUser(who, { cwd, env }) {
  const args = [program, 'user', 'create', ...who, '--password-stdin']
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(`${credentials.password}\n`)
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (!/^\d+$/m.test(output)) throw new Error('No user could be made.')
  return Number.parseInt(output, 10)
}

async function urlIn(log) {
  for (const until = performance.now() + START_MS; performance.now() < until; ) {
    const [, url] = /serves (\S+)/.exec(await readFile(log, 'utf8')) ?? []
    if (url) return url
    await setTimeout(50)
  }
  throw new Error(`The service did not start:\n${await readFile(log, 'utf8')}`)
}
