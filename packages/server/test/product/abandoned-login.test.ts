import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { KEY, UNABLE } from '../support/answers.ts'
import { busyHasher } from '../support/hashers.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

const ONE_GUESS = { ACCOUNT: { RATE_LIMITS: { login_failed: '1/5m/key' } } }

test('a login whose client has gone takes no turn at the hash, and is not counted', async () => {
  const { hasher, work, line, release } = busyHasher()
  const { app, request, createUser } = await startAuth(ONE_GUESS, { hasher })
  await createUser({ username: 'ada' })
  await app.listen({ host: '127.0.0.1', port: 0 })

  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  const guess = JSON.stringify({ username: 'ada', password: 'wrong' })
  client.write(
    `POST /auth/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${guess.length}\r\n`,
  )
  const comes = once(line, 'come')
  client.write(`Content-Type: application/json\r\n\r\n${guess}`)
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
