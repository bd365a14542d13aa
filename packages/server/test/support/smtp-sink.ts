import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

/** How a mail server may behave. */
export type Manner = 'accepts' | 'refuses' | 'hangs' | 'dies'

type Received = { to: string[]; raw: string }

/** A real SMTP server on loopback. `manner` can be changed while it runs. */
export async function startSmtpSink(manner: Manner = 'accepts', port = 0) {
  const sink = { manner, received: [] as Received[], refusedRecipients: new Map<string, number>() }
  let noteArrival = () => {}
  /** Resolves when the first mail arrives, also if it is refused. */
  const arrival = new Promise<void>((resolve) => {
    noteArrival = resolve
  })
  const server = new SMTPServer({
    authOptional: true,
    onAuth: ({ username, password }, _, done) =>
      username === 'ada' && password === 'p@ss'
        ? done(null, { user: username })
        : done(new Error('wrong')),
    onRcptTo({ address }, _, done) {
      const responseCode = sink.manner === 'refuses' ? 550 : sink.refusedRecipients.get(address)
      done(responseCode ? Object.assign(new Error('no such user'), { responseCode }) : null)
    },
    onData(stream, session, done) {
      let raw = ''
      stream.on('data', (part) => {
        raw += part
      })
      stream.on('end', () => {
        noteArrival()
        if (sink.manner === 'hangs') return
        const to = session.envelope.rcptTo.map(({ address }) => address)
        sink.received.push({ to, raw })
        if (sink.manner === 'dies') server.close()
        if (sink.manner === 'dies')
          for (const { _socket } of connectionsOf(server)) _socket.destroy()
        else done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () => {
    for (const { _socket } of connectionsOf(server)) _socket.destroy()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  onTestFinished(close)
  const address = server.server.address() as AddressInfo
  return { sink, port: address.port, url: `smtp://127.0.0.1:${address.port}`, arrival, close }
}

type Connection = { _socket: { destroy(): void } }

/** The package itself waits for open connections. */
const connectionsOf = (server: SMTPServer): Iterable<Connection> =>
  server.connections as unknown as Set<Connection>
