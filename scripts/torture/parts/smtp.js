import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A mail server. It gives every mail to `keep(address, mail)`, as plain text, once for each addressee. */
export async function startSmtp(keep) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      text(stream).then((mail) => {
        for (const { address } of envelope.rcptTo) keep(address, plainTextOf(mail))
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
    port,
    url: `smtp://127.0.0.1:${port}`,
    async stop() {
      for (const { _socket } of server.connections) _socket.destroy()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

/** Decodes quoted-printable, the encoding of our mails. */
export const plainTextOf = (mail) => mail.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
