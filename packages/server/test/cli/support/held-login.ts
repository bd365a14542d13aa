import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** A login whose body is incomplete until the test sends the rest. */
export async function heldLogin(url: string, credentials: Record<string, string>) {
  const body = JSON.stringify(credentials)
  const held = request(`${url}login/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      // The server answers this as soon as it handles the request.
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
      // The connection is cut, so an error is expected.
      held.on('error', () => {})
      held.destroy()
    },
  }
}

/** Resolves when the port is closed. */
export async function untilRefused(url: string): Promise<void> {
  for (;;) {
    try {
      // A new connection each time, since existing ones may stay open.
      await fetch(url, { headers: { connection: 'close' } })
    } catch {
      return
    }
  }
}
