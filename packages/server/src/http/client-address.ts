import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Device } from '../core/identity.ts'
import type { Log } from '../kernel/log.ts'
import { plainLine } from '../kernel/texts.ts'
import type { Settings } from '../settings/settings.ts'

/** Enough for an address with brackets, zone and port. Longer texts are not parsed. */
const ADDRESS_MAX = 100

/**
 * The client's address: that of the socket or, behind trusted proxies, the one that the outermost
 * of them saw. Entries that the client itself adds to the header are further left and ignored.
 */
export function clientAddress(request: FastifyRequest, proxies: number): string {
  const socket = readAddress(request.raw.socket.remoteAddress ?? '') ?? 'unknown'
  const forwarded = request.headers['x-forwarded-for']
  if (proxies === 0 || !forwarded) return socket
  return readAddress(hopFromRight(String(forwarded), proxies)) ?? socket
}

/**
 * The nth entry from the right, or the first one if there are fewer. Each proxy appends its entry,
 * so only positions from the right can be trusted. A client can put any entries on the left.
 */
function hopFromRight(forwarded: string, place: number): string {
  let end = forwarded.length
  for (let passed = 1; passed < place; passed++) {
    const comma = forwarded.lastIndexOf(',', end - 1)
    if (comma < 0) break
    end = comma
  }
  return forwarded.slice(forwarded.lastIndexOf(',', end - 1) + 1, end)
}

/** What counts as one client: an IPv4 address, or the /64 network of an IPv6 customer. */
export function addressBucket(address: string): string {
  if (!address.includes(':')) return address
  const network = ipaddr.IPv6.parse(address).parts.slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}

/** Reads an address, perhaps with brackets, zone or port. `::ffff:7f00:1` is 127.0.0.1. */
function readAddress(text: string): string | undefined {
  if (isIP(text) === 4) return text
  if (text.length > ADDRESS_MAX) return undefined
  const address = text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '')
  // Asks the platform first: ipaddr.js also accepts `0x7f.1`, and throws on other texts.
  const family = isIP(address)
  if (family !== 6) return family === 4 ? address : undefined
  const parsed = ipaddr.IPv6.parse(address)
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : address.toLowerCase()
}

const USER_AGENT_MAX = 200

export const createDeviceOf =
  ({ REST_FRAMEWORK: { NUM_PROXIES } }: Pick<Settings, 'REST_FRAMEWORK'>) =>
  (request: FastifyRequest): Device => ({
    address: clientAddress(request, NUM_PROXIES),
    userAgent: plainLine(request.headers['user-agent'] ?? '', USER_AGENT_MAX),
  })

const WORDS =
  'A request came through a proxy (X-Forwarded-For, from a private address), but REST_FRAMEWORK.NUM_PROXIES is 0. So all users count as one client and share its limits. Set it to the number of proxies in front of the service, usually 1.'

/** Warns once if a proxy seems to be in front of the service, and the settings do not name it. */
export function createForgottenProxy(log: Pick<Log, 'warn'>, proxies: number) {
  let isDone = proxies > 0
  return (request: Pick<FastifyRequest, 'headers' | 'raw'>): void => {
    if (isDone || request.headers['x-forwarded-for'] === undefined) return
    if (!isPrivate(request.raw.socket.remoteAddress ?? '')) return
    isDone = true
    log.warn({ proxies }, WORDS)
  }
}

/** Only such an address can be a proxy of one's own. Any client can send the header. */
const isPrivate = (address: string): boolean =>
  ipaddr.isValid(address) &&
  ['private', 'loopback', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'].includes(
    ipaddr.process(address).range(),
  )
