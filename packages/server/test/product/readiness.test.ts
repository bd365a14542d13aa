import { expect, test, vi } from 'vitest'
import { SECOND } from '../../src/kernel/clock.ts'
import { startAuth } from '../support/start-auth.ts'

test('many who ask whether the service is ready cost one write in a second', async () => {
  const { request, db, clock } = await startAuth()
  const isReady = async () => (await request.get('/readyz')).status
  const connections = vi.spyOn(db, 'connection')

  const statuses = await Promise.all(Array.from({ length: 30 }, isReady))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await isReady()).toBe(200)
  expect(connections).toHaveBeenCalledTimes(1)

  clock.advance(SECOND)
  expect(await isReady()).toBe(200)
  expect(connections).toHaveBeenCalledTimes(2)
})
