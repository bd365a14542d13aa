import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Enough for an address with brackets, zone and port. Longer texts are not parsed. */
const ADDRESS_MAX = 100

/**
 * The client's address: that of the socket or, behind trusted proxies, the one that the outermost
 * of them saw. What a client itself writes into the header stands further left and is ignored.
 */
export function clientAddress(request: FastifyRequest, proxies: number): string {
  const socket = readAddress(request.raw.socket.remoteAddress ?? '') ?? 'unknown'
  const forwarded = request.headers['x-forwarded-for']
  if (proxies === 0 || !forwarded) return socket
  return readAddress(hopFromRight(String(forwarded), proxies)) ?? socket
}

/**
 * The entry at this place from the right, or the first one if there are fewer. Each proxy adds its
 * entry on the right, so the places are known only from there. On the left a client can add as many
 * entries as it likes.
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

/** Reads `::ffff:7f00:1`, another spelling of 127.0.0.1. */
function mappedHex(address: string): string | undefined {
  if (isIP(address) !== 6) return undefined
  const words = expand(address).map((word) => Number.parseInt(word, 16))
  const [high = 0, low = 0] = words.slice(6)
  const isMapped = words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : undefined
}

/** The eight groups of an IPv6 address. */
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
