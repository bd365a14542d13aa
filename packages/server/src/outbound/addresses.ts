import { lookup as resolveName } from 'node:dns'
import { BlockList, isIPv6, type LookupFunction } from 'node:net'
import { isLoopback } from '../kernel/hosts.ts'

/** Private, link-local and reserved ranges, in all spellings. */
const NOT_PUBLIC = [
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
  // Ranges that embed an IPv4 address (SIIT, NAT64, 6to4, Teredo) are blocked completely.
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

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

const notPublic = new BlockList()
for (const range of NOT_PUBLIC) {
  const [start = '', bits] = range.split('/')
  notPublic.addSubnet(start, Number(bits), familyOf(start))
}

/**
 * Whether this address is outside all private, local and reserved ranges. Also recognises IPv4
 * addresses that are written as IPv6 (`::ffff:10.0.0.1`).
 */
export const isPublic = (address: string): boolean => !notPublic.check(address, familyOf(address))

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
