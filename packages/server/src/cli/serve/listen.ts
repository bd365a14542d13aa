import { once } from 'node:events'
import { type AddressInfo, createServer, type Server as Listener } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { onEveryAddress } from '../../server/team/bound-sockets.ts'
import type { Settings } from '../../settings/settings.ts'
import { type CommandRefusal, firstLine, refusal } from '../refusal.ts'

/** Listens on every address of the host, and returns the port. With 0 the system chooses a free one. */
export async function listen(
  app: FastifyInstance,
  settings: Settings,
  listeners: Listener[],
): Promise<number> {
  const { HOST, PORT } = settings
  try {
    await onEveryAddress(HOST, PORT, async (host, port) => {
      await accept(app, { host, port }, listeners)
      return (app.server.address() as AddressInfo).port
    })
  } catch (error) {
    throw listenRefusal(settings, error)
  }
  return (app.server.address() as AddressInfo).port
}

/** Listens on sockets that all workers share. */
export async function listenOn(
  app: FastifyInstance,
  settings: Settings,
  sockets: readonly unknown[],
  listeners: Listener[],
): Promise<void> {
  try {
    for (const socket of sockets) await accept(app, socket, listeners)
  } catch (error) {
    throw listenRefusal(settings, error)
  }
}

/**
 * Accepts connections there, too. `listeners` gets what listens besides the server itself. Fastify would
 * start a second server for a second address, without the protections of the first.
 */
async function accept({ server }: FastifyInstance, at: unknown, listeners: Listener[]) {
  if (!server.listening) {
    await once(server.listen(at), 'listening')
    return
  }
  // As the server of Node does it.
  const listener = createServer({ allowHalfOpen: true, noDelay: true })
  listener.on('connection', (connection) => server.emit('connection', connection))
  await once(listener.listen(at), 'listening')
  listeners.push(listener)
}

type HeldPort = { readonly port: number; release(): Promise<void> }

/** Finds a free port, and keeps it from others until it is released. */
export async function holdFreePort(settings: Settings): Promise<HeldPort> {
  const holder = createServer((socket) => void socket.destroy())
  try {
    await once(holder.listen({ host: settings.HOST, port: 0 }), 'listening')
  } catch (error) {
    throw listenRefusal(settings, error)
  }
  return {
    port: (holder.address() as AddressInfo).port,
    release: () => new Promise((resolve) => holder.close(() => resolve())),
  }
}

export function listenRefusal({ HOST, PORT }: Settings, error: unknown): CommandRefusal {
  switch (error instanceof Error && 'code' in error ? error.code : '') {
    case 'EADDRINUSE':
      return refusal(
        `Port ${PORT} on ${HOST} is already in use. Choose another one with --set PORT=<number>.`,
      )
    case 'EACCES':
      return refusal(
        `This user may not listen on port ${PORT} of ${HOST}. Choose a port from 1024 up with --set PORT=<number>.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return refusal(
        `HOST ${HOST} is not an address of this machine. Use 127.0.0.1 for this machine only, or 0.0.0.0 for all network interfaces.`,
      )
    default:
      return refusal(`Cannot listen on ${HOST}, port ${PORT}: ${firstLine(error)}`)
  }
}
