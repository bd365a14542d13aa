import type { SendHandle } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import net from 'node:net'
import { getSystemErrorName } from 'node:util'

/** A socket that is bound to an address, and does not listen yet. */
export type BoundSocket = SendHandle & {
  close(): void
  getsockname(out: { port?: number }): number
}

/**
 * Node's own cluster uses this function, which is not documented. A `net.Server` instead would accept
 * connections in this process, which cannot answer them.
 */
const { _createServerHandle: bindHandle } = net as unknown as {
  _createServerHandle(host: string, port: number, family: number): BoundSocket | number
}

/** Binds every address of the host. With port 0 the system chooses one. */
export async function bindSockets(host: string, port: number) {
  const sockets: BoundSocket[] = []
  let bound = port
  try {
    for (const { address, family } of await addressesOf(host)) {
      const socket = bind(address, bound, family)
      sockets.push(socket)
      bound = portOf(socket)
    }
  } catch (error) {
    for (const socket of sockets) socket.close()
    throw error
  }
  return { sockets, port: bound }
}

/** `localhost` means IPv4 and IPv6. Of other names the first address is taken, as Node does it. */
async function addressesOf(host: string) {
  const all = await lookup(host, { all: true })
  return host === 'localhost' ? all : all.slice(0, 1)
}

function bind(address: string, port: number, family: number): BoundSocket {
  const socket = bindHandle(address, port, family)
  if (typeof socket === 'number') throw systemError(socket)
  return socket
}

/** The system reports a port that is in use only now. */
function portOf(socket: BoundSocket): number {
  const address: { port?: number } = {}
  const error = socket.getsockname(address)
  if (error !== 0) throw systemError(error)
  return address.port ?? 0
}

const systemError = (error: number): Error => {
  const code = getSystemErrorName(error)
  return Object.assign(new Error(`bind ${code}`), { code })
}
