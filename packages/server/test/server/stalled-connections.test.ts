import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hardenServer } from '../../src/server/harden-server.ts'
import { createStallWatch, cutStalledConnections } from '../../src/server/stalled-connections.ts'

/** More than all the buffers between a server and a client that does not read. */
const LONG = Buffer.alloc(32 * 1024 * 1024, 'x')

test('a client that does not read is cut off, even if it still sends', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = createServer((_, response) => response.end(LONG))
  cutStalledConnections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())

  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  client.on('error', () => {})
  client.pause()
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [connection = new Socket()]: Socket[] = await once(server, 'connection')
  client.write('GET / HTTP/1.1\r\nX-Drip: ')
  let seconds = 0
  for (; !connection.destroyed; seconds++) {
    client.write('x')
    await setImmediate()
    vi.advanceTimersByTime(1000)
  }
  expect(connection.bytesWritten).toBeGreaterThan(0)
  expect(seconds).toBeGreaterThanOrEqual(10)
})

function connection() {
  const state = {
    writableLength: 0,
    bytesWritten: 0,
    bytesRead: 0,
    isCut: false,
    destroy() {
      state.isCut = true
      return this as never
    },
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
  const one = connection()
  const look = createStallWatch({ reader: 3, idle: 20 }, () => [one])
  one.bytesWritten = 200
  for (let looks = 0; looks < 10; looks++) {
    move(one)
    look()
  }
  expect(one.isCut).toBe(isCut)
})

test('a connection on which nothing happens', () => {
  const all = [connection(), connection(), connection()] as const
  const [silent, reading, sending] = all
  const look = createStallWatch({ reader: 3, idle: 5 }, () => all)
  for (let looks = 0; looks < 10; looks++) {
    reading.bytesWritten += 1
    sending.bytesRead += 1
    look()
    expect(silent.isCut).toBe(looks >= 4)
  }
  expect(reading.isCut || sending.isCut).toBe(false)
})

test('an idle connection ends after 72 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = createServer((_, response) => response.end())
  hardenServer(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [idle = new Socket()]: Socket[] = await once(server, 'connection')
  vi.advanceTimersByTime(71_000)
  expect(idle.destroyed).toBe(false)
  vi.advanceTimersByTime(1000)
  expect(idle.destroyed).toBe(true)
  client.on('error', () => {}).resume()
  await once(client, 'close')
})
