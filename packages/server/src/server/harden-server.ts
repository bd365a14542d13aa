import type { Server } from 'node:http'
import { Socket } from 'node:net'
import { connectionsOf } from './connections.ts'
import { cutStalledConnections } from './stalled-connections.ts'

/** Protections that Fastify has no option for: no client can take more than its share. */
export function hardenServer(server: Server): void {
  // Node would make a new timer for every request. Idle connections are ended below. It is set here
  // since 0 as an option would mean 72 seconds.
  server.keepAliveTimeout = 0

  // Ends floods of requests.
  connectionsOf(server)
  cutStalledConnections(server)
  writeAnswersWhole(server)

  // Node would refuse it on its own, without a request id, a body or a line in the log.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

type Writev = NonNullable<Socket['_writev']>

/**
 * Writes an answer as one text. Node ends every answer with an empty text, and then hands over a list
 * of two. Putting that together takes about 3 µs, a tenth of what a bare server needs for a request.
 */
function writeAnswersWhole(server: Server): void {
  server.on('connection', (socket: Socket) => {
    socket._writev = writeWhole
  })
}

const writeList = Socket.prototype._writev as Writev

const writeWhole: Writev = function writeWhole(this: Socket, chunks, done) {
  const [first, last] = chunks
  const isWhole = chunks.length === 2 && typeof first?.chunk === 'string' && last?.chunk === ''
  if (isWhole) this._write(first.chunk, first.encoding, done)
  else writeList.call(this, chunks, done)
}
