import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder, printedAddress } from '../cli/support/program.ts'

const REQUEST = 'GET /auth/user/ HTTP/1.1\r\nHost: localhost\r\n\r\n'

/** A request on a connection of its own. The answer is everything until the connection is closed. */
async function send(port: number) {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(REQUEST)
  return { answer: text(socket).catch((error: NodeJS.ErrnoException) => String(error.code)) }
}

test.skipIf(process.platform === 'win32')(
  'SIGTERM resets no connection that the system has already accepted',
  async () => {
    const { start } = await newFolder()
    const { child, ended } = start(['serve'], { PORT: '0', LOG_LEVEL: 'silent' })
    const port = Number(new URL(await printedAddress(child)).port)
    // While the process stands still, the system accepts connections for it.
    child.kill('SIGSTOP')
    const sent = await Promise.all(Array.from({ length: 100 }, () => send(port)))
    child.kill('SIGTERM')
    child.kill('SIGCONT')
    const answers = await Promise.all(sent.map(({ answer }) => answer))
    const outcomes = answers.map((answer) => answer.split('\r\n')[0])
    expect(outcomes).toEqual(Array.from({ length: 100 }, () => 'HTTP/1.1 401 Unauthorized'))
    expect(await ended).toBe(0)
  },
)
