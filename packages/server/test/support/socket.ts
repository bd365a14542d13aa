import { type AddressInfo, connect } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Sends bytes to a real server, and returns everything until it closes the connection. */
export async function sendBytes(app: FastifyInstance, bytes: string | Buffer): Promise<string> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  return sendBytesTo((app.server.address() as AddressInfo).port, bytes)
}

/** The same to a server on this port. */
export const sendBytesTo = (port: number, bytes: string | Buffer): Promise<string> =>
  new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (part) => {
      answer += part
    })
    // The server may close the connection while we still write.
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
  })

/**
 * Sends the head of a request, which is enough to authenticate it, does something, and only then sends
 * the body. Returns the answer.
 */
export async function sendHeadFirst(
  app: FastifyInstance,
  { path, headers, body }: { path: string; headers: Record<string, string>; body: object },
  meanwhile: () => Promise<unknown>,
) {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  const answer = new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (part) => {
      text += part
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
  const text = JSON.stringify(body)
  const head = {
    Host: 'localhost',
    Connection: 'close',
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  }
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
  const authenticated = new Promise((resolve) => app.server.once('request', resolve))
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  await authenticated
  await meanwhile()
  socket.write(text)
  return readAnswer(await answer)
}

/** The status and the JSON of an answer that came as text. */
export function readAnswer(answer: string): { status: number; body: unknown } {
  const status = Number(answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length))
  const text = answer.slice(answer.indexOf('\r\n\r\n') + 4)
  return { status, body: text === '' ? undefined : JSON.parse(text) }
}
