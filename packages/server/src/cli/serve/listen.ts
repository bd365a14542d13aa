import { once } from 'node:events'
import { type AddressInfo, createServer, type Server as Listener } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../../settings/settings.ts'
import { type CommandRefusal, firstLine, refusal } from '../refusal.ts'

/** Listens and returns the port. With 0 the system chooses a free one. */
export async function listen(app: FastifyInstance, settings: Settings): Promise<number> {
  const { HOST: host, PORT: port } = settings
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw listenRefusal(settings, error)
  }
  const [bound] = app.addresses()
  return typeof bound === 'object' ? bound.port : port
}

type Given = {
  /** Sockets that the supervisor has bound. */
  readonly sockets: readonly unknown[]
  /** Gets what listens besides the server itself. */
  readonly listeners: Listener[]
}

/** Listens on sockets that all workers share. */
export async function listenOn(
  app: FastifyInstance,
  settings: Settings,
  { sockets: [first, ...others], listeners }: Given,
): Promise<void> {
  try {
    await once(app.server.listen(first), 'listening')
    for (const socket of others) {
      // As the server of Node does it.
      const listener = createServer({ allowHalfOpen: true, noDelay: true })
      listener.on('connection', (connection) => app.server.emit('connection', connection))
      listeners.push(listener)
      await once(listener.listen(socket), 'listening')
    }
  } catch (error) {
    throw listenRefusal(settings, error)
  }
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
