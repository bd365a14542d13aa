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
 * connections before the service can answer them.
 */
const { _createServerHandle: bindHandle } = net as unknown as {
  _createServerHandle(host: string, port: number, family: number): BoundSocket | number
}

/**
 * Binds every address of the host, and returns the port. With 0 the system chooses one. `localhost` means
 * IPv4 and IPv6, as far as the machine has them. Of other names the first address is taken, as Node does
 * it. `sockets` gets what is bound, also before an error.
 */
export async function bindSockets(
  host: string,
  port: number,
  sockets: BoundSocket[],
): Promise<number> {
  const all = await lookup(host, { all: true })
  let bound: number | undefined
  let missing: unknown
  for (const { address, family } of host === 'localhost' ? all : all.slice(0, 1)) {
    try {
      const socket = bind(address, bound ?? port, family)
      sockets.push(socket)
      bound = portOf(socket)
    } catch (error) {
      if (!isMissing(error)) throw error
      missing = error
    }
  }
  if (bound === undefined) throw missing
  return bound
}

/** The machine has no such address: IPv6 is often named, and switched off. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^E(ADDRNOTAVAIL|AFNOSUPPORT)$/.test(`${error.code}`)

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
