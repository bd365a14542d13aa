import { expect, test } from 'vitest'
import { startAuth } from '../../support/start-auth.ts'

const start = async (NUM_PROXIES: number) => {
  const lines: string[] = []
  const settings = { REST_FRAMEWORK: { NUM_PROXIES } }
  const { request } = await startAuth(settings, { onLogLine: (line) => lines.push(line) })
  const ask = (from: string, headers = { 'x-forwarded-for': '192.0.2.1' }) =>
    request.post('password/reset/', { email: 'a@example.com' }, { from, headers })
  return { ask, warnings: () => lines.filter((line) => line.includes('NUM_PROXIES')) }
}

test('a proxy that the settings do not know is named once', async () => {
  const { ask, warnings } = await start(0)
  await ask('192.0.2.7')
  await ask('10.0.0.1', {} as never)
  expect(warnings()).toEqual([])
  for (const from of ['10.0.0.1', '::ffff:172.17.0.1', '127.0.0.1']) await ask(from)
  expect(warnings()).toHaveLength(1)
})

test('a proxy that the settings know is not', async () => {
  const { ask, warnings } = await start(1)
  await ask('10.0.0.1')
  expect(warnings()).toEqual([])
})
