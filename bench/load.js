// A load generator over plain sockets: parsing whole messages would take time from the server that
// shares its core with it.
import { connect } from 'node:net'

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/**
 * Sends requests over `connections` sockets, on each one after another, and resolves with how many
 * answers came in a second. An answer that is not 2xx is an error. Of several bodies every socket
 * sends a part of its own.
 */
export async function requestsPerSecond({ url, bodies = [''], connections, seconds, ...request }) {
  const end = performance.now() + seconds * 1000
  const share = Math.max(1, Math.floor(bodies.length / connections))
  const counts = await Promise.all(
    Array.from({ length: connections }, (_, index) => {
      const start = (index * share) % bodies.length
      const own = bodies.slice(start, start + share)
      return sendUntil(
        end,
        new URL(url),
        own.map((body) => messageOf(new URL(url), request, body)),
      )
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0) / seconds
}

function messageOf({ pathname, search, host }, { method = 'GET', headers = {} }, body) {
  const lines = Object.entries({ host, 'content-length': Buffer.byteLength(body), ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.from(`${method} ${pathname}${search} HTTP/1.1\r\n${head}\r\n${body}`)
}

function sendUntil(end, { hostname, port }, messages) {
  return new Promise((resolve, reject) => {
    let count = 0
    let received = Buffer.alloc(0)
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    const send = () => socket.write(messages[count % messages.length])
    socket.on('error', reject).on('connect', send)
    socket.on('close', () => resolve(count))
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const headEnd = received.indexOf(END_OF_HEAD)
      if (headEnd < 0) return
      const head = received.toString('latin1', 0, headEnd)
      if (!head.startsWith('HTTP/1.1 2')) {
        socket.destroy(new Error(`not every answer was good: ${head.split('\r\n', 1)[0]}`))
        return
      }
      if (!isWhole(received, headEnd + END_OF_HEAD.length, head)) return
      received = Buffer.alloc(0)
      count += 1
      if (performance.now() < end) send()
      else socket.destroy()
    })
  })
}

/** Whether the body is there, too. If its length is not told, it comes in chunks, and the last is empty. */
function isWhole(received, bodyStart, head) {
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) return received.length >= bodyStart + Number(length)
  return received.length > bodyStart && received.subarray(-5).equals(LAST_CHUNK)
}
