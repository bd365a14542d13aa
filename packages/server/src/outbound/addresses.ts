import { lookup as resolveName } from 'node:dns'
import { BlockList, isIPv6, type LookupFunction } from 'node:net'
import { isLoopback } from '../kernel/hosts.ts'

/** Private, link-local and reserved ranges, in all spellings. */
const NOT_PUBLIC_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** Ranges that embed an IPv4 address (SIIT, NAT64, 6to4, Teredo) are blocked completely. */
const NOT_PUBLIC_IPV6 = [
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/32',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

const notPublic = listOf(NOT_PUBLIC_IPV4, NOT_PUBLIC_IPV6)

function listOf(ipv4: readonly string[], ipv6: readonly string[]): BlockList {
  const list = new BlockList()
  for (const [ranges, family] of [
    [ipv4, 'ipv4'],
    [ipv6, 'ipv6'],
  ] as const) {
    for (const range of ranges) {
      const [start = '', bits] = range.split('/')
      list.addSubnet(start, Number(bits), family)
    }
  }
  return list
}

/** Also recognises IPv4 addresses that are written as IPv6 (`::ffff:10.0.0.1`). */
const isIn = (list: BlockList, address: string): boolean =>
  list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

/** Whether this address is outside all private, local and reserved ranges. */
export const isPublic = (address: string): boolean => !isIn(notPublic, address)

/**
 * A name of this machine may lead only to this machine. Any other name may lead only to public
 * addresses, unless the settings allow private ones. Node looks up no literal address, so those
 * never come here.
 */
export function mayLeadTo(address: string, hostname: string, allowPrivate: boolean): boolean {
  if (isLoopback(hostname)) return isLoopback(address)
  return allowPrivate || isPublic(address)
}

/**
 * Resolves a name for one connection and refuses forbidden addresses. The connection uses the
 * checked address, so a name that resolves differently the next time gains nothing.
 */
export function guardedLookup(allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses = []) => {
      const [first] = addresses
      const isFine = addresses.every(({ address }) => mayLeadTo(address, hostname, allowPrivate))
      if (error || !first) callback(error ?? new Error('The name has no address.'), '')
      else if (!isFine) callback(new Error('The name leads into a private network.'), '')
      else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
