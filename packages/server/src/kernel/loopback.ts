import { BlockList, isIP, isIPv6 } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * Whether a host name means this machine without asking a resolver: a loopback address (with or
 * without the brackets of a URL) or `localhost`.
 */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (!isIP(host)) return /^([^.]+\.)*localhost$/.test(host)
  return loopback.check(host, isIPv6(host) ? 'ipv6' : 'ipv4')
}
