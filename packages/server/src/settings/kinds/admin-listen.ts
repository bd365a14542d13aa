import { isIPv6 } from 'node:net'
import { withoutBrackets } from '../../kernel/hosts.ts'
import { textual } from '../../kernel/setting-kinds/kind.ts'

const PUBLIC = 'public'
const PORT_MAX = 65535

export type Address = { readonly host: string; readonly port: number }

/** Null if the admin API has no address of its own, but that of the service. */
export function adminAddress(listen: string): Address | null {
  if (listen === PUBLIC) return null
  const colon = listen.lastIndexOf(':')
  return { host: withoutBrackets(listen.slice(0, colon)), port: Number(listen.slice(colon + 1)) }
}

export const adminListen = textual(
  'an address with a port, such as 127.0.0.1:8001 or [::1]:8001, or public',
  (input) => {
    if (input.toLowerCase() === PUBLIC) return PUBLIC
    const [, host = '', port = ''] = /^(\[[^\]]*\]|[\w.-]+):(\d{1,5})$/.exec(input) ?? []
    const isHost = host.startsWith('[') ? isIPv6(withoutBrackets(host)) : host !== ''
    return isHost && Number(port) <= PORT_MAX ? `${host}:${Number(port)}` : undefined
  },
)

const ANY = new Set(['0.0.0.0', '::'])

/** Whether two listeners could get each other's requests. `localhost` may be IPv4 and IPv6. */
export function isSameAddress(one: Address, other: Address): boolean {
  if (one.port !== other.port || one.port === 0) return false
  const names = [one.host, other.host].map((host) => host.toLowerCase())
  if (names[0] === names[1] || names.some((host) => ANY.has(host))) return true
  const isLocalName = (host: string) => host === 'localhost'
  const isLoopback = (host: string) => isLocalName(host) || host === '127.0.0.1' || host === '::1'
  return names.some(isLocalName) && names.every(isLoopback)
}
