import { connect, createServer } from 'node:http2'
import { type AddressInfo, connect as connectTo } from 'node:net'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { callerOf, embed, SIGNUP } from '../../support/embed.ts'
import { FROM_HOST, fromHost, serving } from '../../support/hosts.ts'

test('what is not ours goes on, with everything as it was', async () => {
  const { auth } = await embed()
  const app = express().use(auth.express)
  app.post(
    '/orders',
    express.json(),
    ({ url, body }, response) => void response.json({ url, body }),
  )
  const { post, get } = callerOf(await serving(app.use(fromHost)), { api: '/auth/' })
  expect((await post('/orders?page=2', { a: 1 })).body).toEqual({
    url: '/orders?page=2',
    body: { a: 1 },
  })
  for (const path of ['/', '/authors/', '/account/orders', '/%E0%A4%A']) {
    const { body, headers } = await get(path)
    expect([path, body]).toEqual([path, FROM_HOST])
    expect(headers.has('x-frame-options')).toBe(false)
  }
  // Below our prefix, all paths are ours.
  for (const path of ['/auth', '/auth/', '/auth/orders', '/auth/%E0%A4%A']) {
    expect([path, (await get(path)).body]).toEqual([path, { detail: 'Not found.' }])
  }
})

test('a host that throws runs once, and gets its error', async () => {
  const { auth } = await embed()
  let runs = 0
  const caught: unknown[] = []
  const listeners = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', (error) => caught.push(error))
  onTestFinished(() => {
    process.removeAllListeners('unhandledRejection')
    for (const listener of listeners) process.on('unhandledRejection', listener)
  })
  const failure = new Error('a mistake of the host')
  const send = await serving((request, response) =>
    auth.express(request, response, () => {
      runs += 1
      // A second run would come before this.
      setImmediate(() => response.end())
      throw failure
    }),
  )
  await send('/orders')
  expect([runs, caught]).toEqual([1, [failure]])
})

test('at the root of a server, unknown paths are the host’s', async () => {
  const { auth } = await embed({ AUTH_PREFIX: '/' })
  const send = await serving(express().use(auth.express).use(fromHost))
  const { get, call } = callerOf(send, { api: '/' })
  expect((await get('user/')).status).toBe(401)
  expect((await call('DELETE', 'login/')).status).toBe(405)
  expect((await get('nothing/')).body).toEqual(FROM_HOST)
})

test('headers of the host stay, unless we have one of the same name, and so do its cookies', async () => {
  const { auth } = await embed()
  const app = express().use((_request, response, next) => {
    response.cookie('theirs', '1').set({ 'x-theirs': '1', 'x-frame-options': 'SAMEORIGIN' })
    next()
  })
  const { get, post } = callerOf(await serving(app.use(auth.express)), { api: '/auth/' })
  const { headers, setCookies } = await post('registration/', SIGNUP)
  const names = setCookies.map((line) => line.split('=')[0])
  expect(names.toSorted()).toEqual(['csrftoken', 'sessionid', 'theirs'])
  expect([headers.get('x-theirs'), headers.get('x-frame-options')]).toEqual(['1', 'DENY'])
  expect((await get('nothing/')).setCookies).toEqual([expect.stringMatching(/^theirs=1/)])
})

test('the whole address in the request line is understood', async () => {
  const { auth } = await embed()
  const app = express().use('/members', auth.express)
  const answer = await new Promise<string>((resolve, reject) => {
    serving(app).then(async (send) => {
      const { port } = new URL((await send('/')).url)
      const socket = connectTo(Number(port), '127.0.0.1')
      const lines = ['GET http://host.example/members/user/?a=b HTTP/1.1', 'host: host.example']
      socket.end([...lines, 'connection: close', '', ''].join('\r\n'))
      let text = ''
      socket.on('data', (data) => {
        text += data
      })
      socket.on('end', () => resolve(text)).on('error', reject)
    }, reject)
  })
  expect(answer).toMatch(/^HTTP\/1.1 401 /)
})

test('a status that the host has set does not count, as Koa sets 404', async () => {
  const { auth } = await embed()
  const send = await serving((request, response) => {
    response.statusCode = 404
    auth.express(request, response)
  })
  const { get } = callerOf(send, { api: '/auth/' })
  expect((await get('openapi.json')).status).toBe(200)
  expect((await get('csrf/')).status).toBe(200)
})

test('over HTTP/2, a request says where it was sent to without a Host', async () => {
  const { auth } = await embed({ EMAIL_URL: 'console:' })
  // Its requests have all that counts of those of HTTP/1, but another type.
  const listener = auth.express as (request: object, response: object) => void
  const server = createServer((request, response) => listener(request, response)).listen(0)
  const { port } = server.address() as AddressInfo
  const here = `localhost:${port}`
  const session = connect(`http://${here}`)
  onTestFinished(() => {
    session.close()
    server.close()
  })
  const status = (path: string, headers: object, method = 'GET') =>
    new Promise((resolve, reject) => {
      const stream = session.request({ ':path': `/auth/${path}`, ':method': method, ...headers })
      stream.on('response', (answer) => resolve(answer[':status'])).on('error', reject)
      stream.resume().end()
    })
  const from = (origin: string) => status('login/', { origin }, 'POST')
  expect(await from(`http://${here}`)).toBe(400)
  expect(await from('http://evil.example')).toBe(403)
  const mailbox = (authority: string) => status('dev/mailbox/', { ':authority': authority })
  expect(await mailbox(here)).toBe(200)
  expect(await mailbox('evil.example')).toBe(404)
})
