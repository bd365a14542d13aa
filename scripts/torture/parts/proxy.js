import { connect, createServer } from 'node:net'
import { Transform } from 'node:stream'
import { keepSockets } from './sockets.js'

/** A proxy between the service and its database. `swallow` acts like a firewall that forgets connections. */
export async function startProxy(firstPort) {
  let targetPort = firstPort
  let delayMs = 0
  const { keep, each, endAll } = keepSockets()
  const server = createServer((near) => {
    const far = keep(connect(targetPort, '127.0.0.1'))
    const answers = new Transform({
      transform: (chunk, _, done) => setTimeout(done, delayMs, null, chunk),
    })
    keep(near).pipe(far).pipe(answers).pipe(near)
    // A reset is passed on as well.
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })

  return {
    port: server.address().port,
    swallow() {
      each((socket) => {
        socket.unpipe()
        socket.removeAllListeners('close')
        socket.on('data', () => {})
        socket.resume()
      })
    },
    /** Every part of an answer takes this long. */
    slowDown(ms) {
      delayMs = ms
    },
    /** Like a fail-over to another server. */
    leadTo(port) {
      targetPort = port
      endAll()
    },
    stop() {
      server.close()
      endAll()
    },
  }
}
