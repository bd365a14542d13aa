// A client over plain sockets. It shares the machine with the server, so it has to be cheap.
import { connect } from 'node:net'

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/**
 * Keeps `connections` sockets busy for some seconds, each with one request after another.
 * `script(index)` returns the function that makes the requests of a socket, each from the text of the
 * answer before: `{ method, path, headers, body, status, expects(text) }`. An answer with another
 * status or text ends the measurement with an error. `pause` is the time in ms between two requests.
 * Resolves with the count of answers, the time in seconds and every latency in ms.
 */
export async function drive({ url, script, connections, seconds, pause = 0 }) {
  const target = new URL(url)
  const begun = performance.now()
  const end = begun + seconds * 1000
  const latencies = (
    await Promise.all(
      Array.from({ length: connections }, (_, index) =>
        converse(target, script(index), { end, pause }),
      ),
    )
  ).flat()
  return { count: latencies.length, seconds: (performance.now() - begun) / 1000, latencies }
}

/** Sends one request and resolves with the text of the answer. */
export async function ask(url, request) {
  let text = ''
  const expects = (answer, head) => {
    text = answer
    return request.expects?.(answer, head) ?? true
  }
  await converse(new URL(url), () => ({ ...request, expects }), { end: 0, pause: 0 })
  return text
}

function converse(target, next, { end, pause }) {
  return new Promise((resolve, reject) => {
    const latencies = []
    let received = Buffer.alloc(0)
    let request
    let sentAt
    const socket = connect({ host: target.hostname, port: Number(target.port), noDelay: true })
    const send = (last) => {
      request = next(last)
      sentAt = performance.now()
      socket.write(messageOf(target, request))
    }
    socket.on('error', reject).on('connect', () => send())
    socket.on('close', () => {
      if (performance.now() < end) reject(new Error('The server has closed a connection.'))
      else resolve(latencies)
    })
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const answer = readAnswer(received)
      if (!answer) return
      received = Buffer.alloc(0)
      latencies.push(performance.now() - sentAt)
      const { status = 200, expects = () => true, path } = request
      if (answer.status !== status || !expects(answer.text, answer.head)) {
        reject(new Error(`${path}: ${answer.status} ${answer.text}`))
        socket.destroy()
        return
      }
      if (performance.now() >= end) socket.destroy()
      else if (pause === 0) send(answer.text)
      else setTimeout(send, pause, answer.text)
    })
  })
}

/** Requests that are sent again and again are written once. */
const messages = new WeakMap()

function messageOf({ host, pathname }, request) {
  const known = messages.get(request)
  if (known) return known
  const { method = 'GET', path, headers = {}, body } = request
  const text = body === undefined ? '' : JSON.stringify(body)
  const all = {
    host,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }),
    ...headers,
  }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const message = Buffer.from(
    `${method} ${pathname}${path} HTTP/1.1\r\n${head.join('')}\r\n${text}`,
  )
  messages.set(request, message)
  return message
}

/** Null if a part of it is still missing. */
function readAnswer(bytes) {
  const headEnd = bytes.indexOf(END_OF_HEAD)
  if (headEnd < 0) return null
  const head = bytes.toString('latin1', 0, headEnd)
  const body = bytes.subarray(headEnd + END_OF_HEAD.length)
  const text = bodyOf(head, body)
  return text === null ? null : { status: Number(head.slice(9, 12)), head, text }
}

function bodyOf(head, body) {
  if (head.startsWith('HTTP/1.1 204')) return ''
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) {
    return body.length < Number(length) ? null : body.toString('utf8', 0, Number(length))
  }
  // Without a length it comes in chunks, of which the last is empty.
  if (body.length === 0 || !body.subarray(-5).equals(LAST_CHUNK)) return null
  return body
    .toString('utf8')
    .split('\r\n')
    .filter((_, line) => line % 2 === 1)
    .join('')
}
