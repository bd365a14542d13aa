import { connect } from 'node:net'
import type pg from 'pg'

const CANCEL_REQUEST = 80_877_102
const PATIENCE_MS = 2000

/** What the server calls a connection; the driver keeps it without saying so in its types. */
type BackendKey = { processID: number | null; secretKey: number | null }

/**
 * Asks the server, over a connection of its own, to stop what a connection that we give up is
 * doing: it may hold locks. No more than a request; `statement_timeout` does it in any case. It goes
 * unencrypted, as the protocol allows: the key in it is good for nothing but this connection.
 */
export function cancelQuery(client: pg.Client): void {
  const { processID, secretKey } = client as pg.Client & BackendKey
  if (processID === null || secretKey === null) return
  const { host, port } = client
  const socket = connect(
    host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port },
  )
  socket.unref()
  socket.setTimeout(PATIENCE_MS, () => socket.destroy())
  socket.on('error', () => {})
  socket.on('data', () => {})
  socket.end(messageOf(processID, secretKey))
}

function messageOf(processId: number, secretKey: number): Buffer {
  const message = Buffer.alloc(16)
  message.writeInt32BE(message.length, 0)
  message.writeInt32BE(CANCEL_REQUEST, 4)
  message.writeInt32BE(processId, 8)
  message.writeInt32BE(secretKey, 12)
  return message
}
