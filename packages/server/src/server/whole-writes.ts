import { type Server, Socket } from 'node:net'

type Writev = NonNullable<Socket['_writev']>

/**
 * Writes an answer as one text. Node ends every answer with an empty text, and then hands over a list
 * of two. Putting that together takes about 3 µs, a tenth of what a bare server needs for a request.
 */
export function writeAnswersWhole(server: Server): void {
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
