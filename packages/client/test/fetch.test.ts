import { expect, test } from 'vitest'
import { sendJson, startLoopbackServer } from '../../server/test/support/loopback-server.ts'
import { ADA, ROTATING, startService } from './support/start-service.ts'

/** An API that refuses the first credential that it sees. */
const startApi = () => {
  const seen = new Set<string>()
  return startLoopbackServer(({ headers, body }, response) => {
    const { authorization = 'nobody' } = headers
    seen.add(authorization)
    const isFirst = seen.size === 1
    sendJson(response, { body, type: headers['content-type'] }, isFirst ? 401 : 200)
  })
}

test('an API gets the credential, and a refreshed one if it refuses the first', async () => {
  const api = await startApi()
  const { newClient } = await startService(ROTATING)
  const { client, count } = newClient({ mode: 'jwt', origins: [api.url] })
  await client.login(ADA)

  const init = { method: 'POST', body: 'an order', headers: { 'Content-Type': 'text/plain' } }
  const response = await client.fetch(`${api.url}/orders`, init)
  expect(await response.json()).toEqual({ body: 'an order', type: 'text/plain' })
  const again = await client.fetch(new Request(`${api.url}/orders`, init))
  expect(await again.json()).toEqual({ body: 'an order', type: 'text/plain' })

  expect(count('POST token/refresh/')).toBe(1)
  const [first, second, third] = api.heard.map(({ headers }) => headers.authorization)
  expect(first).toMatch(/^Bearer /)
  expect(second).not.toBe(first)
  expect(third).toBe(second)
})

test('a stream is sent once, and the caller gets the refusal', async () => {
  const api = await startApi()
  const { newClient } = await startService(ROTATING)
  const { client } = newClient({ mode: 'jwt', origins: [api.url] })
  await client.login(ADA)
  const send = () => {
    const body = new Blob(['an order']).stream()
    return client.fetch(api.url, { method: 'POST', body, duplex: 'half' } as RequestInit)
  }
  const response = await send()
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({ body: 'an order' })
  await client.refresh()
  expect((await send()).status).toBe(200)
  expect(api.heard).toHaveLength(2)
})

test('an API that refuses everybody ends no login', async () => {
  const api = await startLoopbackServer((_, response) => sendJson(response, {}, 401))
  const { newClient } = await startService()
  const { client } = newClient({ mode: 'token', origins: [api.url] })
  await client.login(ADA)
  expect((await client.fetch(api.url)).status).toBe(401)
  expect(client.state.status).toBe('signed-in')
})

test('nobody else ever sees the credential', async () => {
  const { newClient, origin } = await startService()
  const { client, sent } = newClient({ mode: 'token', origins: ['https://api.example.com'] })
  await client.login(ADA)
  const evil = [
    'https://evil.example',
    'https://api.example.com.evil.example/',
    'https://api.example.com@evil.example/',
    'https://api.example.com\\@evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    ' https://api.example.com/',
    'orders',
    `${origin.replace('http', 'https')}/`,
  ]
  const relative = newClient({ mode: 'token', url: '/auth/' })
  for (const address of evil) {
    await expect(client.fetch(address), address).rejects.toThrow(/trusted origin/)
    await expect(relative.client.fetch(address), address).rejects.toThrow(/trusted origin/)
  }
  expect([...sent, ...relative.sent]).toEqual(['POST login/'])
})
