import { once } from 'node:events'
import { createServer } from 'node:http'

/** A server on loopback. `stop` ends its connections, too. */
export async function startHttpServer(answer) {
  const server = createServer(answer)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: server.address().port,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
