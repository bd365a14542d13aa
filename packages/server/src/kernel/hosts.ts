import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * Whether a host name means this machine without asking a resolver: a loopback address (with or
 * without the brackets of a URL) or `localhost`.
 */
export function isLoopback(hostname: string): boolean {
  const host = withoutBrackets(hostname)
  const family = familyOf(host)
  return family ? loopback.check(host, family) : /^([^.]+\.)*localhost$/.test(host)
}

/** Whether a host of a URL is an address, not a name. */
export const isAddress = (hostname: string): boolean => familyOf(withoutBrackets(hostname)) !== null

/**
 * The host of a URL as DNS and TLS know it. URLs of other schemes than HTTP keep an international
 * name as it is written. Undefined if no host can have this name.
 */
export function dialledHost(hostname: string): string | undefined {
  if (isAddress(hostname)) return withoutBrackets(hostname)
  try {
    return domainToASCII(decodeURIComponent(hostname)) || undefined
  } catch {
    return undefined
  }
}

/** The address in the host of a URL, which has brackets around IPv6. */
export const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

/** Names have no colon: a start with one is spared the first call of `isIPv6`, which takes 5 ms. */
function familyOf(host: string): 'ipv4' | 'ipv6' | null {
  if (host.includes(':')) return isIPv6(host) ? 'ipv6' : null
  return isIPv4(host) ? 'ipv4' : null
}
