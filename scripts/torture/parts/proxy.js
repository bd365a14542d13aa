import { connect, createServer } from 'node:net'

/** A proxy between the service and its database. `swallow` acts like a firewall that forgets connections. */
export async function startProxy(firstPort) {
  let targetPort = firstPort
  const sockets = new Set()
  const keep = (socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer((near) => {
    const far = keep(connect(targetPort, '127.0.0.1'))
    keep(near).pipe(far).pipe(near)
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
      for (const socket of sockets) {
        socket.unpipe()
        socket.removeAllListeners('close')
        socket.on('data', () => {})
        socket.resume()
      }
    },
    /** Like a fail-over to another server. */
    leadTo(port) {
      targetPort = port
      for (const socket of sockets) socket.destroy()
    },
    stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
