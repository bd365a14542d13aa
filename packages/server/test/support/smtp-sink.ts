import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

/** How a mail server may behave. */
export type Manner = 'accepts' | 'refuses' | 'hangs' | 'dies'

type Received = { to: string[]; raw: string }

/** A real SMTP server on loopback. `manner` can be changed while it runs. */
export async function startSmtpSink(manner: Manner = 'accepts', port = 0) {
  const sink = {
    manner,
    received: [] as Received[],
    refusedRecipients: new Map<string, number>(),
    connections: 0,
  }
  const answers: (() => void)[] = []
  /** When the first mail arrives, also if it is refused. */
  const arrival = newEvent()
  /** When the first mail waits for its answer. */
  const hanging = newEvent()
  /** When the first connection is closed. */
  const end = newEvent()
  const server = new SMTPServer({
    authOptional: true,
    // It would ask a name server, which may be out of reach.
    disableReverseLookup: true,
    onConnect(_, done) {
      sink.connections += 1
      done()
    },
    onClose: () => end.note(),
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
        arrival.note()
        const to = session.envelope.rcptTo.map(({ address }) => address)
        if (sink.manner === 'hangs') {
          answers.push(() => {
            sink.received.push({ to, raw })
            done()
          })
          hanging.note()
          return
        }
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
  return {
    sink,
    port: address.port,
    url: `smtp://127.0.0.1:${address.port}`,
    arrival: arrival.noted,
    hanging: hanging.noted,
    end: end.noted,
    /** Accepts the mails that wait for their answer. */
    answerAll() {
      for (const answer of answers.splice(0)) answer()
    },
    close,
  }
}

function newEvent() {
  let note = () => {}
  const noted = new Promise<void>((resolve) => {
    note = resolve
  })
  return { noted, note: () => note() }
}

type Connection = { _socket: { destroy(): void } }

/** The package itself waits for open connections. */
const connectionsOf = (server: SMTPServer): Iterable<Connection> =>
  server.connections as unknown as Set<Connection>
