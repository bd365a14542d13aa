import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { KEY, UNABLE } from '../support/answers.ts'
import { busyHasher } from '../support/hashers.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

const ONE_GUESS = { ACCOUNT: { RATE_LIMITS: { login_failed: '1/5m/key' } } }

const GUESS = JSON.stringify({ username: 'ada', password: 'wrong' })
const HEAD = `POST /auth/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${GUESS.length}\r\n`
const REST = `Content-Type: application/json\r\n\r\n${GUESS}`

test('a login whose client has gone takes no turn at the hash, and is not counted', async () => {
  const { hasher, work, line, release } = busyHasher()
  const { app, request, createUser } = await startAuth(ONE_GUESS, { hasher })
  await createUser({ username: 'ada' })
  await app.listen({ host: '127.0.0.1', port: 0 })

  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  client.write(HEAD)
  const comes = once(line, 'come')
  client.write(REST)
  await comes
  const leaves = once(line, 'leave')
  client.destroy()
  expect(await leaves).toMatchObject([{ status: 499 }])

  release()
  expect(work).toEqual([])
  expect(await request.post('login/', { username: 'ada', password: PASSWORD })).toMatchReply(
    200,
    KEY,
  )
  // A login whose client stays is counted.
  const wrong = { username: 'ada', password: 'wrong' }
  expect(await request.post('login/', wrong)).toMatchReply(400, UNABLE)
  expect(await request.post('login/', wrong)).toBeThrottled(300)
})

test('neither do those that it sent ahead', async () => {
  const { hasher, work, line, release } = busyHasher()
  const { app, createUser } = await startAuth({}, { hasher })
  await createUser({ username: 'ada' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const all = 3
  const seen = (event: 'come' | 'leave') =>
    new Promise<void>((resolve) => {
      let count = 0
      line.on(event, () => {
        count += 1
        if (count === all) resolve()
      })
    })
  const [come, leave] = [seen('come'), seen('leave')]

  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  client.write(`${HEAD}${REST}`.repeat(all))
  await come
  client.destroy()
  await leave
  release()
  expect(work).toEqual([])
})
