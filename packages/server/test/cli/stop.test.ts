import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newCli } from './support/cli.ts'
import { heldLogin, untilRefused } from './support/held-login.ts'

const ADA = { username: 'ada', password: 'a-good-password' }

/** Time stands still for what the command itself waits for, and moves on by hand. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('a signal lets a request under way finish, and no other begin', async () => {
  const { createAda, serve } = await newCli()
  await createAda()
  const { url, code, signal, exits } = await serve()
  const login = await heldLogin(url, ADA)
  signal()
  await untilRefused(url)
  expect(await login.finish()).toEqual({ status: 200, body: { key: expect.any(String) } })
  expect(await code).toBe(0)
  expect(exits).toEqual([])
})

test('a connection that has asked for nothing does not hold up the end', async () => {
  const { serve } = await newCli()
  const { url, code, signal } = await serve()
  const silent = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void silent.destroy())
  await once(silent, 'connect')
  // The server has it, too, once it has answered somebody who came later.
  await (await fetch(new URL('/healthz', url))).text()
  signal()
  expect(await code).toBe(0)
})

test('a request that never ends is cut off after nine seconds', async () => {
  const { serve } = await newCli()
  const { url, code, signal, exits } = await serve()
  const login = await heldLogin(url, ADA)
  holdTime()
  signal()
  vi.advanceTimersByTime(8999)
  expect(exits).toEqual([])
  vi.advanceTimersByTime(1)
  expect(exits).toEqual([0])
  login.abandon()
  expect(await code).toBe(0)
})

test('a second signal ends at once, but not the echo of the first', async () => {
  const { serve } = await newCli()
  const { url, code, signal, exits } = await serve()
  const login = await heldLogin(url, ADA)
  holdTime()
  signal()
  signal()
  expect(exits).toEqual([])
  vi.advanceTimersByTime(250)
  signal()
  expect(exits).toEqual([1])
  login.abandon()
  expect(await code).toBe(0)
})
