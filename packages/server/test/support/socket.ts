import { type AddressInfo, connect } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Sends bytes to a real server, and returns everything until it closes the connection. */
export async function sendBytes(app: FastifyInstance, bytes: string | Buffer): Promise<string> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (part) => {
      answer += part
    })
    // The server may close the connection while we still write.
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
  })
}

/** The status and the JSON of an answer that came as text. */
export function readAnswer(answer: string): { status: number; body: unknown } {
  const status = Number(answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length))
  const text = answer.slice(answer.indexOf('\r\n\r\n') + 4)
  return { status, body: text === '' ? undefined : JSON.parse(text) }
}
