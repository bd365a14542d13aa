import { lookup as resolveName } from 'node:dns'
import { BlockList, isIPv6, type LookupFunction } from 'node:net'
import { isLoopback } from '../kernel/loopback.ts'

/** Neither private, nor local to a link, nor reserved, nor another spelling of one that is. */
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
/** The ranges that carry an IPv4 address inside (NAT64, 6to4, Teredo) are closed as a whole. */
const NOT_PUBLIC_IPV6 = [
  '::/96',
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

/** IPv4 addresses in the clothes of IPv6 (`::ffff:10.0.0.1`) are recognised, too. */
const isIn = (list: BlockList, address: string): boolean =>
  list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

/** Whether a name may lead to an address: to the public, unless the name or the settings say so. */
export function mayLeadTo(address: string, hostname: string, allowPrivate: boolean): boolean {
  if (isLoopback(hostname)) return isLoopback(address)
  return allowPrivate || !isIn(notPublic, address)
}

/**
 * Resolves a name once, for one connection, and refuses where it must not lead: the address that
 * was judged is the address that is connected to, so a name that changes its mind gains nothing.
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
