import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'

const LETTER_MS = 20_000

/** A mail server that keeps the last letter to every address. */
export async function startMailServer() {
  const letters = new Map()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      text(stream).then((letter) => {
        for (const { address } of session.envelope.rcptTo) letters.set(address, letter)
        done()
        // Of a client that was killed only a part comes.
      }, done)
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address()

  return {
    letters,
    port,
    settings: { EMAIL_URL: `smtp://127.0.0.1:${port}` },
    /** Finds a text in a letter to this address. Waits for it, but returns undefined as soon as `isOver`. */
    async find(address, pattern, isOver = () => false) {
      for (const until = performance.now() + LETTER_MS; performance.now() < until && !isOver(); ) {
        const found = pattern.exec(decode(letters.get(address) ?? ''))
        if (found) return found[1]
        await setTimeout(10)
      }
      return undefined
    },
    async stop() {
      for (const { _socket } of server.connections) _socket.destroy()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

/** Quoted-printable, the encoding of mails. */
const decode = (mail) => mail.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
