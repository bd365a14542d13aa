import { expect, test } from 'vitest'
import { INVALID_TOKEN, LOGGED_OUT, NOT_PROVIDED } from '../support/answers.ts'
import { countRows } from '../support/dump.ts'
import { startAuth } from '../support/start-auth.ts'

test('a logout deletes the key: it opens nothing any more, not even a second logout', async () => {
  const { request, createUserWithToken, db } = await startAuth()
  const token = await createUserWithToken('ada')
  expect(await request.post('logout/', {}, { token })).toMatchReply(200, LOGGED_OUT)
  expect(await countRows(db, 'tokens')).toBe(0)
  expect(await request.get('user/', { token })).toMatchReply(401, INVALID_TOKEN)
  expect(await request.post('logout/', {}, { token })).toMatchReply(401, INVALID_TOKEN)
})

test('a logout ends the session on the server, deletes the key and clears the cookie', async () => {
  const { request, createUserWithToken, logInBrowser, db } = await startAuth()
  const token = await createUserWithToken('ada')
  const browser = await logInBrowser('ada')
  const cookies = {
    sessionid: browser.cookie('sessionid'),
    csrftoken: browser.cookie('csrftoken'),
  }
  const logins = await countRows(db, 'logins')
  const reply = await browser.post('logout/', {}, browser.csrf())
  expect(reply).toMatchReply(200, LOGGED_OUT)
  expect(await countRows(db, 'logins')).toBe(logins - 1)
  expect(await countRows(db, 'tokens')).toBe(0)
  expect(browser.cookie('sessionid')).toBe('')
  expect(await request.get('user/', { cookies })).toMatchReply(401, NOT_PROVIDED)
  expect(await request.get('user/', { token })).toMatchReply(401, INVALID_TOKEN)
})

test('of many parallel logouts none fails, and the key is gone', async () => {
  const { request, createUserWithToken, db } = await startAuth()
  const token = await createUserWithToken('ada')
  const logOut = () => request.post('logout/', {}, { token })
  const statuses = (await Promise.all(Array.from({ length: 16 }, logOut))).map((r) => r.status)
  expect(statuses).toContain(200)
  for (const status of statuses) expect([200, 401]).toContain(status)
  expect(await countRows(db, 'tokens')).toBe(0)
})
