import { expect, test } from 'vitest'
import { INVALID_TOKEN, UNABLE } from '../support/answers.ts'
import type { CallOptions, Client } from '../support/client.ts'
import { startAuth } from '../support/start-auth.ts'

const SECOND = 1000
const limited = (auth_service: string | null, NUM_PROXIES = 0) => ({
  REST_FRAMEWORK: { DEFAULT_THROTTLE_RATES: { auth_service }, NUM_PROXIES },
})

/** The cheapest request that counts. */
const ask = (client: Client, options?: CallOptions) => client.get('csrf/', options)

test('by default there is no rate', async () => {
  const { request } = await startAuth()
  for (let i = 0; i < 200; i++) expect((await ask(request)).status).toBe(200)
})

test('the greatest rate that can be written is no fault', async () => {
  const { request } = await startAuth(limited('999999999/d'))
  for (const _ of [1, 2, 3]) expect((await ask(request)).status).toBe(200)
})

test.each([
  ['2/s', 1],
  ['2/second', 1],
  ['2/m', 60],
  ['2/min', 60],
  ['2/minute', 60],
  ['2/h', 3600],
  ['2/hour', 3600],
  ['2/d', 86_400],
  ['2/day', 86_400],
])('%s lets two through and names %d seconds', async (rate, seconds) => {
  const { request, clock } = await startAuth(limited(rate))
  for (const _ of [1, 2]) expect((await ask(request)).status).toBe(200)
  const refused = await ask(request)
  expect(refused).toBeThrottled(seconds)
  expect(refused.cookies).toEqual([])
  clock.advance(seconds * SECOND - 1)
  expect(await ask(request)).toBeThrottled(1)
  clock.advance(1)
  expect((await ask(request)).status).toBe(200)
})

test('the window slides, and Retry-After is honest', async () => {
  const { request, clock } = await startAuth(limited('3/m'))
  for (const wait of [20, 20, 10]) {
    expect((await ask(request)).status).toBe(200)
    clock.advance(wait * SECOND)
  }
  expect(await ask(request)).toBeThrottled(10)
  clock.advance(9_500)
  expect(await ask(request)).toBeThrottled(1)
  clock.advance(500)
  expect((await ask(request)).status).toBe(200)
  expect(await ask(request)).toBeThrottled(20)
  clock.advance(20 * SECOND)
  expect((await ask(request)).status).toBe(200)
  expect(await ask(request)).toBeThrottled(20)
})

test('one bucket holds all endpoints and spellings, and none holds user/', async () => {
  const { request, createUserWithToken } = await startAuth(limited('5/m'))
  const token = await createUserWithToken('ada')
  const guess = { username: 'ada', password: 'wrong' }
  expect(await request.post('login', guess)).toMatchReply(400, UNABLE)
  expect((await request.post('logout/')).status).toBe(200)
  expect((await request.get('csrf?x=1')).status).toBe(200)
  expect((await request.post('login/?y', '{', { type: 'application/json' })).status).toBe(400)
  for (const path of ['login/', 'login', 'logout/', 'logout?x=2']) {
    expect(await request.post(path, guess)).toBeThrottled(60)
  }
  expect(await request.get('csrf')).toBeThrottled(60)
  for (let i = 0; i < 10; i++) {
    expect((await request.get('user/', { token })).status).toBe(200)
    expect((await request.patch('user/', {}, { token })).status).toBe(200)
  }
})

test('first comes who is asking, then the throttle, then the body', async () => {
  const { request } = await startAuth(limited('1/m'))
  await ask(request)
  const json = { type: 'application/json' }
  expect(await request.post('login/', '{bad', json)).toBeThrottled(60)
  expect(await request.post('login/', 'x'.repeat(70_000), json)).toBeThrottled(60)
  expect(await request.post('logout/', {}, { token: 'x' })).toMatchReply(401, INVALID_TOKEN)
})

test('a user who is logged in has their own limit, at any address', async () => {
  const { createUserWithToken, createUser, request, logInBrowser } = await startAuth(limited('4/m'))
  const [ada, bob] = [await createUserWithToken('ada'), await createUserWithToken('bob')]
  await createUser({ username: 'cy' })
  const cy = await logInBrowser('cy')
  await ask(request)
  expect(await ask(request)).toBeThrottled(60)

  for (const from of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']) {
    expect((await ask(request, { token: ada, from })).status).toBe(200)
  }
  expect(await ask(request, { token: ada, from: '192.0.2.5' })).toBeThrottled(60)
  expect((await ask(request, { from: '192.0.2.5' })).status).toBe(200)
  for (const _ of [1, 2, 3, 4]) {
    expect((await ask(request, { token: bob })).status).toBe(200)
    expect((await ask(cy)).status).toBe(200)
  }
  expect(await ask(cy)).toBeThrottled(60)
})

test('of many parallel requests exactly as many as the rate allows succeed, over all instances', async () => {
  const first = await startAuth(limited('10/m'), { shared: true })
  const second = await startAuth(limited('10/m'), { beside: first })
  const clients = Array.from({ length: 40 }, (_, i) => (i % 2 ? first : second).request)
  const replies = await Promise.all(clients.map((client) => ask(client)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(10)
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(30)
})

test('what was counted is kept over a restart', async () => {
  const before = await startAuth(limited('1/m'), { shared: true })
  await ask(before.request)
  await before.app.close()
  const { request, clock } = await startAuth(limited('1/m'), { beside: before })
  expect(await ask(request)).toBeThrottled(60)
  clock.advance(60 * SECOND)
  expect((await ask(request)).status).toBe(200)
})
