import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** With brackets, a zone and a port; what is longer is no address, and is not looked at. */
const ADDRESS_MAX = 100

/**
 * The client's address: the socket's, unless so many proxies are trusted; then the one that the
 * outermost of them saw. What a client writes into the header itself stands further left.
 */
export function clientAddress(request: FastifyRequest, proxies: number): string {
  const socket = readAddress(request.raw.socket.remoteAddress ?? '') ?? 'unknown'
  const forwarded = request.headers['x-forwarded-for']
  if (proxies === 0 || !forwarded) return socket
  return readAddress(hopFromRight(String(forwarded), proxies)) ?? socket
}

/**
 * The entry that many places from the right, or the first one where there are fewer. Each proxy adds
 * its entry on the right, so only from there is the place of each known: a client can put as many as
 * it likes on the left.
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

/** What is counted as one client: an IPv4 address, or the /64 that one IPv6 customer gets. */
export function addressBucket(address: string): string {
  return address.includes(':') ? `${expand(address).slice(0, 4).join(':')}::/64` : address
}

function readAddress(text: string): string | undefined {
  if (isIP(text) === 4) return text
  if (text.length > ADDRESS_MAX) return undefined
  const bare = text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
  const address = bare.replace(/%.*$/, '')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? mappedHex(address)
  const candidate = mapped ?? address
  return isIP(candidate) ? candidate.toLowerCase() : undefined
}

/** `::ffff:7f00:1` is 127.0.0.1 in another spelling. */
function mappedHex(address: string): string | undefined {
  if (isIP(address) !== 6) return undefined
  const words = expand(address).map((word) => Number.parseInt(word, 16))
  const [high = 0, low = 0] = words.slice(6)
  const isMapped = words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : undefined
}

/** The eight words of an IPv6 address. */
function expand(address: string): string[] {
  const [head = '', tail] = withoutDotted(address).split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const gap = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array<string>(gap).fill('0'), ...right].map((w) =>
    Number.parseInt(w, 16).toString(16),
  )
}

function withoutDotted(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) =>
    [(a << 8) | +b, (c << 8) | +d].map((word) => word.toString(16)).join(':'),
  )
}
