import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { runTestService } from '../../src/testing/run.ts'
import { listenerCount } from '../support/listener-count.ts'

const usual = { settings: { LOG_LEVEL: 'silent' }, isProduction: false, cwd: '/' } as const

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The answer to the first request that gets through. */
const firstAnswer = (url: string): Promise<Response> => fetch(url).catch(() => firstAnswer(url))

test('a refused start listens no longer', async () => {
  const before = await listenerCount()
  const starting = runTestService({ ...usual, port: 0, seed: [{ username: '' }] })
  await expect(starting).rejects.toThrow('the user: username: This field may not be blank.')
  expect(await listenerCount()).toBeLessThanOrEqual(before)
})

test('a request during the start waits for its end', async () => {
  const port = await freePort()
  // Passwords are hashed in threads, so the request gets through in the meantime.
  const seed = Array.from({ length: 20 }, () => ({}))
  const starting = runTestService({ ...usual, port, seed })
  onTestFinished(async () => (await starting).stop())
  const answer = await firstAnswer(`http://127.0.0.1:${port}/__test/`)
  expect([answer.status, await answer.json()]).toEqual([
    200,
    expect.objectContaining({ url: `http://localhost:${port}` }),
  ])
})
