import type { Server } from 'node:http'
import { connectionsOf } from './connections.ts'
import { cutStalledConnections } from './stalled-connections.ts'
import { writeAnswersWhole } from './whole-writes.ts'

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
