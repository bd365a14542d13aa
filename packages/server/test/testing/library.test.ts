import { expect, onTestFinished, test } from 'vitest'
import { connectTestService, startTestService, TestServiceError } from '../../src/testing.ts'

const quiet = { LOG_LEVEL: 'silent' } as const

async function start(options: Parameters<typeof startTestService>[0] = {}) {
  const service = await startTestService({
    ...options,
    settings: { ...quiet, ...options.settings },
  })
  onTestFinished(service.stop)
  return service
}

test('everything of the page works from Node', async () => {
  const latchkey = await start({
    settings: { REST_AUTH: { USE_JWT: true } },
    seed: { users: [{ username: 'grace' }] },
  })
  const [ada, bob] = await latchkey.users([{ username: 'ada', totp: true }, { username: 'bob' }])
  expect([ada?.user.pk, bob?.user.pk]).toEqual([2, 3])
  expect(await latchkey.totp('ada')).toMatch(/^\d{6}$/)
  expect(await latchkey.login({ user: 'grace', mode: 'jwt' })).toHaveProperty('access')

  const id = await latchkey.snapshot()
  await latchkey.clock.freeze(new Date('2030-01-01T00:00:00Z'))
  expect(await latchkey.clock.advance('1d')).toEqual(new Date('2030-01-02T00:00:00Z'))
  const email = 'bob@example.com'
  const ask = { method: 'POST', body: new URLSearchParams({ email }) }
  expect((await fetch(`${latchkey.api}password/reset/`, ask)).status).toBe(200)
  expect(await latchkey.letter({ to: email })).toMatchObject({ kind: 'reset-password' })
  await latchkey.restore(id)
  expect(await latchkey.mail()).toEqual([])
  expect((await latchkey.clock.now()).getFullYear()).not.toBe(2030)

  await latchkey.faults.add({ path: 'csrf/', status: 502, times: 1 })
  expect((await fetch(`${latchkey.api}csrf/`)).status).toBe(502)
  await latchkey.faults.clear()
  expect(await latchkey.events({ type: 'signedIn' })).toHaveLength(1)
  await latchkey.resetLimits()
  await latchkey.reset()
  await expect(latchkey.login({ user: 'ada' })).rejects.toThrow('there is no user "ada"')
  await expect(latchkey.idp('acme').next({})).rejects.toBeInstanceOf(TestServiceError)
})

test('a space has an address of its own, and another process can connect to it', async () => {
  const latchkey = await start()
  const space = await latchkey.space('w1')
  expect(space.url).not.toBe(latchkey.url)
  await space.user({ username: 'ada' })
  const same = await connectTestService(latchkey.url, 'w1')
  expect(await same.login({ user: 'ada' })).toHaveProperty('key')
  await expect(latchkey.login({ user: 'ada' })).rejects.toThrow(TestServiceError)
})

test('it refuses what the command refuses', async () => {
  const settings = { PUBLIC_URL: 'https://auth.example.com' }
  await expect(startTestService({ settings })).rejects.toThrow('for this machine only')
  await expect(startTestService({ seed: { users: 5 } as never })).rejects.toThrow('expected a list')
})
