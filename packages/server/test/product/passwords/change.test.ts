import { expect, test } from 'vitest'
import { MINUTE } from '../../../src/kernel/clock.ts'
import { requestReset, STRONG, twice } from '../../support/accounts.ts'
import { countRows } from '../../support/dump.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const SAVED = { detail: 'New password has been saved.' }
const WRONG_OLD = {
  old_password: ['Your old password was entered incorrectly. Please enter it again.'],
}

test('a user changes the password by token, which stays valid', async () => {
  const started = await startAuth()
  const { request, createUserWithToken } = started
  const token = await createUserWithToken('ada')
  expect(await request.post('password/change/', twice(STRONG), { token })).toMatchReply(200, SAVED)
  expect((await request.get('user/', { token })).status).toBe(200)
  const logIn = (password: string) => request.post('login/', { username: 'ada', password })
  expect((await logIn(PASSWORD)).status).toBe(400)
  expect((await logIn(STRONG)).status).toBe(200)
  expect(await started.mail.letters()).toMatchObject([{ template: 'password-changed' }])
})

test('the session in use gets a new id, and every other one ends', async () => {
  const { createUser, logInBrowser, newBrowser } = await startAuth()
  await createUser({ username: 'ada' })
  const [browser, other] = [await logInBrowser('ada'), await logInBrowser('ada')]
  const stolen = { sessionid: browser.cookie('sessionid'), csrftoken: browser.cookie('csrftoken') }
  const reply = await browser.post('password/change/', twice(STRONG), browser.csrf())
  expect(reply).toMatchReply(200, SAVED)
  expect(browser.cookie('sessionid')).not.toBe(stolen.sessionid)
  expect(browser.cookie('csrftoken')).not.toBe(stolen.csrftoken)
  expect((await browser.get('user/')).status).toBe(200)
  expect((await browser.patch('user/', { first_name: 'A' }, browser.csrf())).status).toBe(200)
  expect((await other.get('user/')).status).toBe(401)
  expect((await newBrowser().get('user/', { cookies: stolen })).status).toBe(401)
})

test('LOGOUT_ON_PASSWORD_CHANGE ends the session in use and deletes the token', async () => {
  const { createUser, logInBrowser, request } = await startAuth({
    REST_AUTH: { LOGOUT_ON_PASSWORD_CHANGE: true },
  })
  await createUser({ username: 'ada' })
  const login = await request.post('login/', { username: 'ada', password: PASSWORD })
  const { key: token } = login.body as { key: string }
  const browser = await logInBrowser('ada')
  const session = browser.cookie('sessionid')
  const reply = await browser.post('password/change/', twice(STRONG), browser.csrf())
  expect(reply).toMatchReply(200, SAVED)
  expect(browser.cookie('sessionid')).toBe('')
  expect((await request.get('user/', { cookies: { sessionid: session } })).status).toBe(401)
  expect((await request.get('user/', { token })).status).toBe(401)
})

test.each([
  [{}, { new_password1: ['This field is required.'], new_password2: ['This field is required.'] }],
  [
    { new_password1: 'abc', new_password2: 'abd' },
    { new_password2: ['The two password fields didn’t match.'] },
  ],
  [
    twice('123'),
    {
      new_password2: [
        'This password is too short. It must contain at least 8 characters.',
        'This password is too common.',
        'This password is entirely numeric.',
      ],
    },
  ],
  [
    twice('alice123'),
    {
      new_password2: [
        'The password is too similar to the username.',
        'This password is too common.',
      ],
    },
  ],
  [twice('password1'), { new_password2: ['This password is too common.'] }],
  [
    twice('x'.repeat(129)),
    {
      new_password1: ['Ensure this field has no more than 128 characters.'],
      new_password2: ['Ensure this field has no more than 128 characters.'],
    },
  ],
])('%j is refused', async (body, errors) => {
  const started = await startAuth()
  const token = await started.createUserWithToken('alice')
  const reply = await started.request.post('password/change/', body, { token })
  expect(reply).toMatchReply(400, errors)
  expect(await started.mail.letters()).toEqual([])
})

test('passwords are taken as typed, spaces and all', async () => {
  const { request, createUserWithToken } = await startAuth()
  const token = await createUserWithToken('ada')
  const spaced = ' Qw-7788-zz '
  expect((await request.post('password/change/', twice(spaced), { token })).status).toBe(200)
  const logIn = (password: string) => request.post('login/', { username: 'ada', password })
  expect((await logIn(spaced.trim())).status).toBe(400)
  expect((await logIn(spaced)).status).toBe(200)
})

test('notices to one address are few, and to an unconfirmed one say nothing that its user chose', async () => {
  const started = await startAuth({ ACCOUNT: { RATE_LIMITS: { notice_mail: '3/15m/key' } } })
  const { request, createUserWithToken, createUser, db, clock } = started
  await createUser({ username: 'bob', email: 'bob@example.com', verified: true })
  const login = await request.post('login/', { username: 'bob', password: PASSWORD })
  const tokens = [
    await createUserWithToken('free.prize.example', { verified: false }),
    (login.body as { key: string }).key,
  ]
  for (const token of tokens) {
    for (let i = 0; i < 5; i++) {
      const reply = await request.post('password/change/', twice(`${STRONG}-${i}`), { token })
      expect(reply).toMatchReply(200, SAVED)
    }
  }
  const letters = await started.mail.letters()
  const names = letters.map(({ values }) => values.username)
  expect(names.toSorted()).toEqual(['', '', '', 'bob', 'bob', 'bob'])
  expect(await countRows(db, 'audit_events')).toBe(10)
  clock.advance(15 * MINUTE)
  await request.post('password/change/', twice(STRONG), { token: tokens[0] ?? '' })
  expect(await started.mail.letters()).toHaveLength(7)
})

test('notices to an unconfirmed address are as few as verification mails, and leave those of its owner', async () => {
  const started = await startAuth()
  const { request, createUserWithToken, mail, clock } = started
  const token = await createUserWithToken('ada', { verified: false })
  const sent = async () => (await mail.of('password-changed')).length
  const counts: number[] = []
  for (const minutes of [0, 15, 15, 15]) {
    clock.advance(minutes * MINUTE)
    for (let i = 0; i < 4; i++) await request.post('password/change/', twice(STRONG), { token })
    counts.push(await sent())
  }
  expect(counts).toEqual([3, 6, 9, 10])

  const { uid, token: reset } = await requestReset(started, 'ada@example.com')
  await request.post('password/reset/confirm/', { uid, token: reset, ...twice(STRONG) })
  expect(await sent()).toBe(11)
})

test('nobody changes a password without a login', async () => {
  const { request } = await startAuth()
  expect(await request.post('password/change/', twice(STRONG))).toMatchReply(401, {
    detail: 'Authentication credentials were not provided.',
  })
})

test('the old password is asked for only with OLD_PASSWORD_FIELD_ENABLED', async () => {
  const { request, createUserWithToken } = await startAuth()
  const token = await createUserWithToken('ada')
  const body = { ...twice(STRONG), old_password: 'wrong' }
  expect(await request.post('password/change/', body, { token })).toMatchReply(200, SAVED)
})

test('a wrong old password is reported together with other faults', async () => {
  const { request, createUserWithToken } = await startAuth({
    REST_AUTH: { OLD_PASSWORD_FIELD_ENABLED: true },
  })
  const token = await createUserWithToken('ada')
  const change = (body: object) => request.post('password/change/', body, { token })
  const required = ['This field is required.']
  expect(await change({ new_password1: STRONG, old_password: 'wrong' })).toMatchReply(400, {
    new_password2: required,
    ...WRONG_OLD,
  })
  const { body } = await change({ old_password: 'wrong' })
  const inOrder = ['old_password', 'new_password1', 'new_password2']
  expect(Object.keys(body as object)).toEqual(inOrder)
  expect(await change(twice(STRONG))).toMatchReply(400, { old_password: required })
  expect(await change({ ...twice(STRONG), old_password: 'wrong' })).toMatchReply(400, WRONG_OLD)
  expect(await change({ ...twice(STRONG), old_password: PASSWORD })).toMatchReply(200, SAVED)
})

test('old passwords cannot be guessed without end, nor in parallel', async () => {
  const { request, createUserWithToken } = await startAuth({
    REST_AUTH: { OLD_PASSWORD_FIELD_ENABLED: true },
  })
  const token = await createUserWithToken('ada')
  const change = (old_password: string) =>
    request.post('password/change/', { ...twice(STRONG), old_password }, { token })
  const replies = await Promise.all(Array.from({ length: 30 }, (_, i) => change(`wrong ${i}`)))
  expect(replies.filter((r) => r.status === 400).length).toBeLessThanOrEqual(10)
  expect(await change(PASSWORD)).toBeThrottled(300)
})

test('of parallel changes exactly one is saved', async () => {
  // The wrong ones must not lock out the right one.
  const { request, createUserWithToken } = await startAuth({
    ACCOUNT: { RATE_LIMITS: { login_failed: 'none' } },
  })
  const token = await createUserWithToken('ada')
  const passwords = Array.from({ length: 16 }, (_, i) => `${STRONG}-${i}`)
  const replies = await Promise.all(
    passwords.map((password) => request.post('password/change/', twice(password), { token })),
  )
  const saved = passwords.filter((_, i) => replies[i]?.status === 200)
  expect(saved).not.toEqual([])
  const logins = await Promise.all(
    passwords.map((password) => request.post('login/', { username: 'ada', password })),
  )
  expect(logins.filter((r) => r.status === 200)).toHaveLength(1)
})
