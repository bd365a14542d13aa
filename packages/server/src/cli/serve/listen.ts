import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { firstLine } from '../../kernel/texts.ts'
import type { Served } from '../../server/drain.ts'
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

/** Listens on sockets that are bound to this address. Workers share theirs. */
export async function listenOn(
  served: Served,
  at: Address,
  sockets: readonly unknown[],
): Promise<void> {
  for (const socket of sockets) await accept(served, socket).catch(refusingAt(at))
}

/**
 * Accepts connections there, too. `listeners` gets what listens besides the server itself. Fastify would
 * start a second server for a second address, without the protections of the first.
 */
async function accept({ app: { server }, listeners }: Served, at: unknown) {
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

/** For `catch`: names the setting to change, `ADMIN_LISTEN`, or `HOST` and `PORT`. */
export const refusingAt =
  (at: Address) =>
  (error: unknown): never => {
    throw listenRefusal(at, error)
  }

/** Every process of a cluster binds a socket of its own. */
const START_ONCE =
  'Workers of node:cluster (PM2: cluster mode) cannot share it: start the service once, and set WORKERS.'

function listenRefusal({ host, port, setting }: Address, error: unknown): CommandRefusal {
  const isAdmin = setting === 'ADMIN_LISTEN'
  const option = isAdmin ? `--set ADMIN_LISTEN=${host}:<number>` : '--set PORT=<number>'
  const remedy = cluster.isWorker ? START_ONCE : `Choose another one with ${option}.`
  switch (error instanceof Error && 'code' in error ? error.code : '') {
    case 'EADDRINUSE':
      return refusal(`Port ${port} on ${host} is already in use. ${remedy}`)
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
