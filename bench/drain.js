// Stops the service three times under load. No request on a kept connection may be reset.
// Run after a build: `node bench/drain.js`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('../packages/server/bin/latchkey.js', import.meta.url))
const ROUNDS = 3
const RATE = 200
const CONNECTIONS = 20
const SECONDS_BEFORE = 2

async function startService(cwd) {
  const env = { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'silent' }
  const child = spawn(process.execPath, [PROGRAM, 'serve'], { cwd, env })
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    const url = /serves (http\S+)\n/.exec(output)?.[1]
    if (url) return { child, url }
  }
  throw new Error(`The service did not start:\n${output}`)
}

/** How one request ended: with an answer, a refused connection, or a reset. */
const ask = (url, agent) =>
  new Promise((resolve) => {
    const request = get(`${url}csrf/`, { agent }, (reply) => {
      reply.resume()
      reply.on('end', () => resolve('answered'))
      reply.on('error', () => resolve('reset'))
    })
    request.on('error', ({ code }) => resolve(code === 'ECONNREFUSED' ? 'refused' : 'reset'))
  })

async function drainOnce() {
  const cwd = mkdtempSync(join(tmpdir(), 'latchkey-drain-'))
  const { child, url } = await startService(cwd)
  const exited = once(child, 'exit')
  try {
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
    const counts = { answered: 0, refused: 0, reset: 0 }
    const asked = []
    const note = (outcome) => {
      counts[outcome] += 1
    }
    const most = RATE * (SECONDS_BEFORE + 2)
    let endedAt = 0
    for (let sent = 0; sent < most && counts.refused === 0; sent++) {
      if (sent === RATE * SECONDS_BEFORE) {
        endedAt = Date.now()
        child.kill('SIGTERM')
      }
      asked.push(ask(url, agent).then(note))
      await sleep(1000 / RATE)
    }
    await Promise.all(asked)
    const [code] = await exited
    return { ...counts, code, ms: Date.now() - endedAt }
  } finally {
    child.kill('SIGKILL')
    rmSync(cwd, { recursive: true, force: true })
  }
}

const rounds = []
for (let round = 0; round < ROUNDS; round++) rounds.push(await drainOnce())
for (const round of rounds) process.stdout.write(`${JSON.stringify(round)}\n`)
process.exitCode = rounds.every(({ reset, code }) => reset === 0 && code === 0) ? 0 : 1
