import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createStallWatch, cutStalledReaders } from '../../src/server/stalled-readers.ts'

/** More than all the buffers between a server and a client that does not read. */
const LONG = Buffer.alloc(32 * 1024 * 1024, 'x')

test('a client that does not read is cut off, even if it goes on sending', async () => {
  const server = createServer((_, response) => response.end(LONG))
  cutStalledReaders(server, { lookEvery: 5, looksMax: 5 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())

  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  client.on('error', () => {})
  client.pause()
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [connection]: Socket[] = await once(server, 'connection')
  client.write('GET / HTTP/1.1\r\nX-Drip: ')
  const drip = setInterval(() => client.write('x'), 1)
  onTestFinished(() => clearInterval(drip))
  await once(connection as Socket, 'close')
  expect((connection as Socket).bytesWritten).toBeGreaterThan(0)
})

function connection() {
  const state = {
    writableLength: 0,
    bytesWritten: 0,
    isCut: false,
    resetAndDestroy() {
      state.isCut = true
      return this as never
    },
  }
  return state
}

test.each([
  ['has nothing to read', () => {}, false],
  [
    'reads nothing',
    (c: ReturnType<typeof connection>) => {
      c.writableLength = 100
    },
    true,
  ],
  [
    'reads slowly',
    (c: ReturnType<typeof connection>) => {
      c.bytesWritten += 1
      c.writableLength = 100
    },
    false,
  ],
])('a client that %s', (_, move, isCut) => {
  const watch = createStallWatch(3)
  const one = connection()
  one.bytesWritten = 200
  watch.add(one)
  for (let looks = 0; looks < 10; looks++) {
    move(one)
    watch.look()
  }
  expect(one.isCut).toBe(isCut)
})
