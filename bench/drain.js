// Stops the service three times under load. No request on a kept connection may be reset.
// Run after a build: `node bench/drain.js`.
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { inFolder } from '../scripts/in-folder.js'
import { startService } from './lib/server.js'

const ROUNDS = 3
const RATE = 200
const CONNECTIONS = 20
const SECONDS_BEFORE = 2

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

async function drainOnce(folder) {
  const service = await startService({}, folder)
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const counts = { answered: 0, refused: 0, reset: 0 }
  const asked = []
  const note = (outcome) => {
    counts[outcome] += 1
  }
  const most = RATE * (SECONDS_BEFORE + 2)
  let endedAt = 0
  let stopped
  for (let sent = 0; sent < most && counts.refused === 0; sent++) {
    if (sent === RATE * SECONDS_BEFORE) {
      endedAt = Date.now()
      stopped = service.stop()
    }
    asked.push(ask(service.url, agent).then(note))
    await sleep(1000 / RATE)
  }
  await Promise.all(asked)
  const code = await stopped
  return { ...counts, code, ms: Date.now() - endedAt }
}

const rounds = []
for (let round = 0; round < ROUNDS; round++) rounds.push(await inFolder(drainOnce))
for (const round of rounds) process.stdout.write(`${JSON.stringify(round)}\n`)
process.exitCode = rounds.every(({ reset, code }) => reset === 0 && code === 0) ? 0 : 1
