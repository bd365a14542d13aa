import { once } from 'node:events'
import { expect, test } from 'vitest'
import { signup } from '../support/accounts.ts'
import { KEY, UNAVAILABLE } from '../support/answers.ts'
import { busyHasher } from '../support/hashers.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

test('a login finds a place when registrations have taken all of theirs', async () => {
  const { hasher, line, release } = busyHasher()
  const { request, createUser } = await startAuth({}, { hasher })
  await createUser({ username: 'ada' })
  const register = (username: string, from: string) =>
    request.post('registration/', signup(username), { from })

  // Half of the places. One client gets no more than a quarter.
  const waiting = []
  for (const from of ['192.0.2.1', '192.0.2.2']) {
    for (const name of ['bob', 'eve', 'grace', 'cy']) {
      const comes = once(line, 'come')
      waiting.push(register(`${name}${waiting.length}`, from))
      await comes
    }
  }
  const from = '192.0.2.3'
  expect(await register('late', from)).toMatchReply(503, UNAVAILABLE)
  const comes = once(line, 'come')
  const login = request.post('login/', { username: 'ada', password: PASSWORD }, { from })
  await comes
  release()
  expect(await login).toMatchReply(200, KEY)
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(201)
})
