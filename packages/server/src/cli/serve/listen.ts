import { once } from 'node:events'
import { type AddressInfo, createServer, type Server as Listener } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { firstLine } from '../../kernel/texts.ts'
import { onEveryAddress } from '../../server/team/bound-sockets.ts'
import { adminAddress, type Address as Bound } from '../../settings/kinds/admin-listen.ts'
import type { Settings } from '../../settings/settings.ts'
import { type CommandRefusal, refusal } from '../refusal.ts'

export type Address = Bound & { readonly setting?: 'ADMIN_LISTEN' }

export const publicAddress = ({ HOST, PORT }: Settings): Address => ({ host: HOST, port: PORT })

/** Null if the admin API is off, or on the public address. */
export function ownAdminAddress({ MODULES, ADMIN_LISTEN }: Settings): Address | null {
  const address = MODULES.includes('admin') ? adminAddress(ADMIN_LISTEN) : null
  return address && { ...address, setting: 'ADMIN_LISTEN' }
}

/** Listens on every address of the host, and returns the port. With 0 the system chooses a free one. */
export async function listen(
  app: FastifyInstance,
  at: Address,
  listeners: Listener[],
): Promise<number> {
  return onEveryAddress(at.host, at.port, async (host, port) => {
    await accept(app, { host, port }, listeners)
    return (app.server.address() as AddressInfo).port
  }).catch(refusingAt(at))
}

/** Listens on sockets that all workers share. */
export async function listenOn(
  app: FastifyInstance,
  at: Address,
  sockets: readonly unknown[],
  listeners: Listener[],
): Promise<void> {
  for (const socket of sockets) await accept(app, socket, listeners).catch(refusingAt(at))
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
  // The same options as the server of Node.
  const listener = createServer({ allowHalfOpen: true, noDelay: true })
  listener.on('connection', (connection) => server.emit('connection', connection))
  await once(listener.listen(at), 'listening')
  listeners.push(listener)
}

export type HeldPort = { readonly port: number; release(): Promise<void> }

/**
 * Finds a free port, and keeps it from others until it is released. A start that is refused releases
 * nothing, so this alone must not keep the process alive.
 */
export async function holdFreePort(host: string): Promise<HeldPort> {
  const holder = createServer((socket) => void socket.destroy()).unref()
  const at = { host, port: 0 }
  await once(holder.listen(at), 'listening').catch(refusingAt(at))
  return {
    port: (holder.address() as AddressInfo).port,
    release: () => new Promise((resolve) => holder.close(() => resolve())),
  }
}

/** For `catch`: names the setting to change, `ADMIN_LISTEN`, or `HOST` and `PORT`. */
export const refusingAt =
  (at: Address) =>
  (error: unknown): never => {
    throw listenRefusal(at, error)
  }

function listenRefusal({ host, port, setting }: Address, error: unknown): CommandRefusal {
  const isAdmin = setting === 'ADMIN_LISTEN'
  const option = isAdmin ? `--set ADMIN_LISTEN=${host}:<number>` : '--set PORT=<number>'
  switch (error instanceof Error && 'code' in error ? error.code : '') {
    case 'EADDRINUSE':
      return refusal(
        `Port ${port} on ${host} is already in use. Choose another one with ${option}.`,
      )
    case 'EACCES':
      return refusal(
        `This user may not listen on port ${port} of ${host}. Choose a port from 1024 up with ${option}.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return refusal(
        `${isAdmin ? 'ADMIN_LISTEN' : 'HOST'} ${host} is not an address of this machine. Use 127.0.0.1 for this machine only, or 0.0.0.0 for all network interfaces.`,
      )
    default:
      return refusal(`Cannot listen on ${host}, port ${port}: ${firstLine(error)}`)
  }
}
