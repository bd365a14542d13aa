import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { keepSockets } from '../parts/sockets.js'

/** What can go wrong with a service of others. */
export const FAULTS = ['refusing', 'hanging', 'lying', 'dying']

/** How a connection of a client goes; `far` opens one to the service itself. */
const MANNERS = {
  well(near, far) {
    near.pipe(far()).pipe(near)
  },
  hanging: (near) => near.resume(),
  lying(near, _, { lie }) {
    near.once('data', () => near.end(lie))
    near.resume()
  },
  /** It does all the work, and is gone before it says so. */
  dying(near, far, { greets }) {
    const target = far()
    let heard = 0
    near.on('data', (chunk) => {
      heard += chunk.length
      target.write(chunk)
    })
    target.on('data', (chunk) => {
      if (heard > greets) near.resetAndDestroy()
      else near.write(chunk)
    })
  },
}

/**
 * Stands in front of the service at `targetPort`, which may be told later. `lie` is what it sends when it lies, and
 * `greets` how many bytes a client says before the work itself.
 */
export async function startFaultyFront({ lie, greets = 0 }) {
  const { keep, endAll } = keepSockets()
  let manner = 'well'
  const server = createServer((near) => {
    const far = () => {
      const socket = keep(connect(front.targetPort, '127.0.0.1'))
      socket.on('close', () => near.destroy())
      return socket
    }
    MANNERS[manner](keep(near), far, { lie, greets })
  })
  const listen = (port) => once(server.listen(port, '127.0.0.1'), 'listening')
  await listen(0)
  const { port } = server.address()

  const front = {
    port,
    url: `http://127.0.0.1:${port}`,
    targetPort: 0,
    /** Connections that are open already feel it, too. */
    async become(next) {
      if (next === 'refusing') server.close()
      else manner = next
      endAll()
      if (next !== 'refusing' && !server.listening) await listen(port)
    },
    stop() {
      server.close()
      endAll()
    },
  }
  return front
}
