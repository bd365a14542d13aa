// Starts a build of the service for a measurement, with one user who can log in.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const USER = { username: 'ada', password: 'a-good-password' }

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

/** The program of a checkout that is built. */
export const programOf = (checkout) => join(checkout, 'packages/server/bin/latchkey.js')
export const thisProgram = programOf(here('..'))

export const median = (numbers) => quantile(numbers, 0.5)

export function quantile(numbers, share) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)]
}

export async function createUser(program, { env, nodeArgs = [] }) {
  const args = [...nodeArgs, program, 'user', 'create', '--username', USER.username]
  const child = spawn(process.execPath, [...args, '--password-stdin'], {
    env,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  child.stdin.end(USER.password)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`exit ${code}`)
}

export async function logIn(url) {
  const headers = { 'Content-Type': 'application/json' }
  const reply = await fetch(`${url}login/`, {
    method: 'POST',
    headers,
    body: JSON.stringify(USER),
  })
  if (!reply.ok) throw new Error(`login: ${reply.status} ${await reply.text()}`)
  return { ...(await reply.json()), cookies: reply.headers.getSetCookie() }
}

/**
 * Resolves with the process and the address of its API. It prints into a file, as services
 * do. Reading its log would take time from the load generator and change the result.
 */
export async function start(args, { env, log, ipc = false }) {
  const stdio = ['ignore', openSync(log, 'a'), 'inherit', ...(ipc ? ['ipc'] : [])]
  const child = spawn(process.execPath, args, { env, stdio })
  while (child.exitCode === null) {
    const url = /http:\/\/[^\s"]+\/auth\//.exec(await readFile(log, 'utf8'))?.[0]
    if (url) return { child, url }
    await setTimeout(50)
  }
  throw new Error(`exit ${child.exitCode}`)
}
