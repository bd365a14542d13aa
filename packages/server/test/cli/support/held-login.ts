import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** A login that the server has begun to read, and that goes on when the test says so. */
export async function heldLogin(url: string, credentials: Record<string, string>) {
  const body = JSON.stringify(credentials)
  const held = request(`${url}login/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      // The server answers this as soon as the request is under way.
      expect: '100-continue',
    },
  })
  held.flushHeaders()
  await once(held, 'continue')
  return {
    async finish() {
      held.end(body)
      const [reply]: IncomingMessage[] = await once(held, 'response')
      return {
        status: reply?.statusCode,
        connection: reply?.headers.connection,
        body: reply && JSON.parse(await text(reply)),
      }
    },
    abandon() {
      // What is left of it is an error by design.
      held.on('error', () => {})
      held.destroy()
    },
  }
}

/** Resolves once nobody listens there any more. */
export async function untilRefused(url: string): Promise<void> {
  for (;;) {
    try {
      // A connection of its own each time: those that exist may be kept.
      await fetch(url, { headers: { connection: 'close' } })
    } catch {
      return
    }
  }
}
