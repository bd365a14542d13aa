import { connect } from 'node:net'
import type pg from 'pg'

const CANCEL_REQUEST = 80_877_102
const PATIENCE_MS = 2000

/** The server's own id for a connection. The driver keeps it, but does not list it in its types. */
type BackendKey = { processID: number | null; secretKey: number | null }

/**
 * Asks the server to stop the query of a connection that we give up, since the query may hold
 * locks. The request goes over a new connection. It may get lost: `statement_timeout` ends the
 * query in any case. It is not encrypted, as the protocol allows: the key in it can only cancel
 * this one connection.
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
