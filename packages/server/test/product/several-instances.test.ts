import { expect, test } from 'vitest'
import { INVALID_TOKEN, KEY, LOGGED_OUT, NOT_PROVIDED, UNABLE } from '../support/answers.ts'
import { countRows } from '../support/dump.ts'
import { ROTATING, startJwt } from '../support/jwt.ts'
import { PASSWORD, startAuth, stillClock } from '../support/start-auth.ts'

const credentials = { username: 'ada', password: PASSWORD }

async function startTwo() {
  const first = await startAuth({}, { shared: true })
  const second = await startAuth({}, { beside: first })
  const ada = await first.createUser({ username: 'ada' })
  return { first, second, ada }
}

test('a key of one instance works at the other, and is the same there', async () => {
  const { first, second } = await startTwo()
  const reply = await first.request.post('login/', credentials)
  const { key: token } = reply.body as { key: string }
  expect((await second.request.get('user/', { token })).status).toBe(200)
  expect(await second.request.post('login/', credentials)).toMatchReply(200, { key: token })
})

test('a logout at one instance ends the key at the other, at once', async () => {
  const { first, second } = await startTwo()
  const token = await first.createUserWithToken('bob')
  expect((await second.request.get('user/', { token })).status).toBe(200)
  expect(await second.request.post('logout/', {}, { token })).toMatchReply(200, LOGGED_OUT)
  expect(await first.request.get('user/', { token })).toMatchReply(401, INVALID_TOKEN)
})

test('a session and its CSRF token move between instances, and so does its end', async () => {
  const { first, second } = await startTwo()
  const browser = await first.logInBrowser('ada')
  const cookies = { sessionid: browser.cookie('sessionid'), csrftoken: browser.cookie('csrftoken') }
  const options = { cookies, ...browser.csrf() }
  expect((await second.request.get('user/', { cookies })).status).toBe(200)
  const changed = await second.request.patch('user/', { first_name: 'Ada' }, options)
  expect(changed.status).toBe(200)
  expect((await browser.get('user/')).body).toMatchObject({ first_name: 'Ada' })
  expect(await second.request.post('logout/', {}, options)).toMatchReply(200, LOGGED_OUT)
  expect(await browser.get('user/')).toMatchReply(401, NOT_PROVIDED)
})

test('a login at one instance ends the session that another began in the same browser', async () => {
  const { first, second } = await startTwo()
  const browser = await first.logInBrowser('ada')
  const cookies = { sessionid: browser.cookie('sessionid') }
  const reply = await second.request.post('login/', credentials, { cookies })
  expect(reply).toMatchReply(200, KEY)
  expect(await browser.get('user/')).toMatchReply(401, NOT_PROVIDED)
  expect(await countRows(first.db, 'logins')).toBe(1)
})

test('what the operator does at one instance holds at the other on the next request', async () => {
  const { first, second, ada } = await startTwo()
  const browser = await second.logInBrowser('ada')
  await first.administration.deactivate(ada)
  expect(await browser.get('user/')).toMatchReply(401, NOT_PROVIDED)
  expect(await second.request.post('login/', credentials)).toMatchReply(400, UNABLE)
})

test('a pair of one instance works at another whose clock is some seconds behind', async () => {
  const first = await startJwt({ SIMPLE_JWT: ROTATING }, { shared: true })
  const clock = stillClock(first.clock.now() - 3000)
  const beside = { settings: first.settings, clock }
  const second = await startJwt({ SIMPLE_JWT: ROTATING }, { beside })
  const { access, refresh } = await first.logIn()
  expect((await second.getUser(access)).status).toBe(200)
  expect((await second.refresh(refresh)).status).toBe(200)
})

test('everything is still there after a restart', async () => {
  const { first, second } = await startTwo()
  const token = await first.createUserWithToken('bob')
  const browser = await first.logInBrowser('ada')
  const cookies = { sessionid: browser.cookie('sessionid') }
  await first.app.close()
  await second.app.close()
  const { request } = await startAuth({}, { beside: first })
  expect((await request.get('user/', { token })).body).toMatchObject({ username: 'bob' })
  expect((await request.get('user/', { cookies })).body).toMatchObject({ username: 'ada' })
})
