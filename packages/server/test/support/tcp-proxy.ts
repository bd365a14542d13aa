import { connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A proxy between the service and its database, to simulate failures of the network. */
export async function startTcpProxy(targetUrl: string) {
  const target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  let isFrozen = false

  const server = createServer((near) => {
    keep(near)
    if (isFrozen) return
    const far = connect(Number(target.port), target.hostname)
    keep(far)
    near.pipe(far).pipe(near)
  })

  function keep(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }

  function swallow(): void {
    for (const socket of sockets) {
      socket.unpipe()
      // Data is read and dropped.
      socket.on('data', () => {})
      socket.resume()
    }
  }

  const url = new URL(targetUrl)
  url.port = String(await listen(server))
  onTestFinished(async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })

  return {
    url: url.href,
    /** Like a firewall that forgets connections: existing ones hang, and new ones work. */
    swallow,
    /** Like a server that hangs: it accepts connections and never answers. */
    freeze(): void {
      isFrozen = true
      swallow()
    },
    /** Like a server that is gone: connections end, and new ones are refused. */
    cut(): void {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
    thaw(): void {
      isFrozen = false
    },
  }
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
