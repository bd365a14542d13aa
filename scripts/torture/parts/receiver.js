import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { startHttpServer } from './http-server.js'

const SECRET = 'whsec_bGF0Y2hrZXktdG9ydHVyZS1zZWNyZXQtMzItYnl0ZXM='

/** For receivers at these addresses. */
export const settingsFor = (urls) => ({
  WEBHOOKS: JSON.stringify(urls.map((url) => ({ url, secret: SECRET }))),
})

/** Receives events, and knows which have come: `registered ada`. */
export async function startReceiver({ answerMs = 0 } = {}) {
  const heard = new Set()
  const { port, stop } = await startHttpServer((request, response) => {
    receive(request, response).catch(() => response.destroy())
  })
  /** Of a client that was killed only a part comes. */
  async function receive(request, response) {
    const { type, user } = JSON.parse(await text(request))
    await setTimeout(answerMs)
    if (response.destroyed) return
    heard.add(`${type} ${user.username}`)
    response.writeHead(204).end()
  }
  return {
    heard,
    port,
    settings: settingsFor([`http://127.0.0.1:${port}/`]),
    stop,
  }
}
