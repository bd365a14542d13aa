import { expect, test } from 'vitest'
import type { CallOptions, Client } from '../support/client.ts'
import { readAnswer, sendBytes } from '../support/socket.ts'
import { startAuth } from '../support/start-auth.ts'

const limited = (auth_service: string | null, NUM_PROXIES = 0) => ({
  REST_FRAMEWORK: { DEFAULT_THROTTLE_RATES: { auth_service }, NUM_PROXIES },
})

/** The cheapest request that counts. */
const ask = (client: Client, options?: CallOptions) => client.get('csrf/', options)

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
  ['2001:db8:1:2::1', '2001:0DB8:0001:0002:0:0:0:9', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['::1', '::2', true],
  ['192.0.2.1', '::ffff:192.0.2.1', true],
  ['192.0.2.1', '::FFFF:c000:201', true],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
  ['192.0.2.1', '192.0.2.2', false],
])('%s and %s are one client: %s', async (one, other, same) => {
  const { request } = await startAuth(limited('1/m'))
  await ask(request, { from: one })
  expect((await ask(request, { from: other })).status).toBe(same ? 429 : 200)
})

const SOCKET = '10.0.0.1'

test.each([
  [0, '192.0.2.1', SOCKET],
  [1, '192.0.2.1', '192.0.2.1'],
  [1, 'spoofed, 198.51.100.9, 192.0.2.1', '192.0.2.1'],
  [1, '198.51.100.9,192.0.2.1 ', '192.0.2.1'],
  [2, '198.51.100.9, 192.0.2.1, 10.0.0.2', '192.0.2.1'],
  [2, '192.0.2.1', '192.0.2.1'],
  [1, 'unknown', SOCKET],
  [1, '192.0.2.1, ', SOCKET],
  [1, '999.0.2.1', SOCKET],
  [1, "'; drop table limits; --", SOCKET],
  [1, '', SOCKET],
  [1, '192.0.2.1:54321', '192.0.2.1'],
  [1, '[2001:db8:1:2::9]:443', '2001:db8:1:2::1'],
  [1, '2001:db8:1:2::9', '2001:db8:1:2::1'],
  [1, '::ffff:192.0.2.1', '192.0.2.1'],
  [1, `${'198.51.100.9, '.repeat(500)}192.0.2.1`, '192.0.2.1'],
  [1, `${','.repeat(1023)}192.0.2.1`, '192.0.2.1'],
  [1, `198.51.100.9${','.repeat(5000)}192.0.2.1`, '192.0.2.1'],
  [2, `${','.repeat(5000)}192.0.2.1, 10.0.0.2`, '192.0.2.1'],
  [1, `192.0.2.1${','.repeat(1023)}`, SOCKET],
  [1, `${'1'.repeat(100_000)}`, SOCKET],
  [1, `${'198.51.100.9,'.repeat(8000)}192.0.2.1`, '192.0.2.1'],
  [3, '192.0.2.1,,', '192.0.2.1'],
  [1, 'fe80:1:2:3::9%eth0', 'fe80:1:2:3::1'],
  [1, '[fe80:1:2:3::9%25eth0]:443', 'fe80:1:2:3::1'],
  [1, '[::ffff:c000:201]:443', '192.0.2.1'],
  [1, '192.0.2.1:', SOCKET],
  [1, '[192.0.2.1', SOCKET],
  [1, '0300.0.2.1', SOCKET],
])('behind %d proxies X-Forwarded-For: %.50s means %s', async (proxies, forwarded, client) => {
  const { request } = await startAuth(limited('1/m', proxies))
  const through = (value: string) =>
    ask(request, { from: SOCKET, headers: { 'x-forwarded-for': value } })
  expect((await through(forwarded)).status).toBe(200)

  const plain = (address: string) =>
    proxies === 0 || address === SOCKET
      ? ask(request, { from: address })
      : through(`${address}${', 10.0.0.2'.repeat(proxies - 1)}`)
  expect((await plain(client)).status, 'the same client').toBe(429)
  expect((await plain('203.0.113.5')).status, 'another client').toBe(200)
})

test('the header sent twice is one list, in the order of its lines', async () => {
  const { app } = await startAuth(limited('1/m', 1))
  const ask = async (lines: string[]) => {
    const head = ['GET /auth/csrf/ HTTP/1.1', 'Host: localhost', 'Connection: close', ...lines]
    return readAnswer(await sendBytes(app, `${head.join('\r\n')}\r\n\r\n`)).status
  }
  const [spoofed, real] = ['X-Forwarded-For: 198.51.100.9', 'X-Forwarded-For: 192.0.2.1']
  expect(await ask([spoofed, real])).toBe(200)
  expect(await ask(['X-Forwarded-For: 198.51.100.10', real])).toBe(429)
  expect(await ask([real, spoofed])).toBe(200)
})

test('no number of commas passes a limit', async () => {
  const { request } = await startAuth(limited('2/m', 1))
  const statuses = []
  for (const commas of [0, 1, 31, 32, 1023, 1024]) {
    const forwarded = `${','.repeat(commas)}192.0.2.1`
    const reply = await ask(request, { from: SOCKET, headers: { 'x-forwarded-for': forwarded } })
    statuses.push(reply.status)
  }
  expect(statuses).toEqual([200, 200, 429, 429, 429, 429])
})
