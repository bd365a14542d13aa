import { describe, expect, test } from 'vitest'
import { ADA, changeKey, NEW, SENT, startWithAda } from '../../support/addresses.ts'
import { NOT_FOUND, NOT_PROVIDED } from '../../support/answers.ts'
import { countRows, dump } from '../../support/dump.ts'
import { STALE, STALE_AFTER } from '../../support/freshness.ts'
import { modes, startMode } from '../../support/modes.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const OK = { detail: 'ok' }
const REQUIRED = ['This field is required.']

describe.each(modes)('by %s', (mode) => {
  test('a user asks for another address, its owner confirms, and the login goes on', async () => {
    const auth = await startMode(mode)
    const ada = await auth.logIn()
    expect(await ada.get('email/')).toMatchReply(200, { email: ADA, verified: true, pending: null })
    const asked = await ada.post('email/change/', { email: NEW, password: PASSWORD })
    expect(asked).toMatchReply(200, SENT)
    expect(asked.cookies).toEqual([])
    expect(await ada.get('email/')).toMatchReply(200, { email: ADA, verified: true, pending: NEW })

    const key = await changeKey(auth)
    const confirmed = await auth.request.post('email/change/confirm/', { key })
    expect(confirmed).toMatchReply(200, OK)
    expect(confirmed.cookies).toEqual([])
    expect(await ada.get('email/')).toMatchReply(200, { email: NEW, verified: true, pending: null })
  })

  test('a user without a password must have logged in lately', async () => {
    const auth = await startMode(mode, { SIMPLE_JWT: { ACCESS_TOKEN_LIFETIME: '1h' } })
    const ada = await auth.logIn()
    await auth.db.updateTable('users').set({ password: '!' }).execute()
    auth.clock.advance(STALE_AFTER - 1)
    expect(await ada.post('email/change/', { email: NEW })).toMatchReply(200, SENT)
    auth.clock.advance(1)
    expect(await ada.post('email/change/', { email: NEW })).toMatchReply(...STALE)
    expect(await ada.get('email/')).toMatchObject({ status: 200, body: { pending: NEW } })
    expect(await auth.mail.of('change-email')).toHaveLength(1)
  })

  test('a change is called off', async () => {
    const auth = await startMode(mode)
    const ada = await auth.logIn()
    await ada.post('email/change/', { email: NEW, password: PASSWORD })
    expect(await ada.delete('email/change/')).toMatchReply(204)
    expect(await ada.get('email/')).toMatchReply(200, { email: ADA, verified: true, pending: null })
    const key = await changeKey(auth)
    expect(await auth.request.post('email/change/confirm/', { key })).toMatchReply(404, NOT_FOUND)
    expect(await ada.delete('email/change/')).toMatchReply(204)
  })
})

test.each([
  ['GET', 'email/'],
  ['POST', 'email/change/'],
  ['DELETE', 'email/change/'],
] as const)('%s %s needs a login', async (method, path) => {
  const { request } = await startAuth()
  expect(await request.call(method, path)).toMatchReply(401, NOT_PROVIDED)
})

test('a session needs its CSRF token', async () => {
  const { logInBrowser, createUser, db } = await startAuth()
  await createUser({ username: 'ada', email: ADA, verified: true })
  const browser = await logInBrowser('ada')
  const body = { email: NEW, password: PASSWORD }
  expect((await browser.post('email/change/', body)).status).toBe(403)
  expect((await browser.delete('email/change/')).status).toBe(403)
  expect(await countRows(db, 'email_keys')).toBe(0)
})

test('until the link is used the old address logs in, and then only the new one', async () => {
  const auth = await startWithAda()
  const logIn = async (email: string) =>
    (await auth.request.post('login/', { email, password: PASSWORD })).status
  await auth.ask()
  expect(await logIn(ADA)).toBe(200)
  expect(await logIn(NEW)).toBe(400)
  await auth.confirm(await changeKey(auth))
  expect(await logIn(ADA)).toBe(400)
  expect(await logIn(NEW)).toBe(200)
})

test('the new address gets the link, and the old one a notice at once and another after', async () => {
  const auth = await startWithAda()
  await auth.ask()
  const before = await auth.mail.letters()
  expect(before.map(({ to, template }) => [to, template])).toEqual([
    [NEW, 'change-email'],
    [ADA, 'email-change-requested'],
  ])
  expect(before[0]?.values.link).toMatch(
    /^http:\/\/localhost:8000\/account\/email\/confirm\/[\w-]{32}$/,
  )
  await auth.confirm(await changeKey(auth))
  const after = (await auth.mail.letters()).slice(2)
  expect(after.map(({ to, template }) => [to, template])).toEqual([[ADA, 'email-changed']])
})

test('a further address from Django becomes the address', async () => {
  const auth = await startWithAda()
  const { id: user_id } = await auth.findUser('ada')
  const further = { id: 1, user_id, email: NEW, email_key: NEW, verified: 1 as const }
  await auth.db.insertInto('django_addresses').values(further).execute()
  expect(await auth.ask()).toMatchReply(200, SENT)
  expect(await auth.mail.of('address-wanted')).toEqual([])
  expect(await auth.confirm(await changeKey(auth))).toMatchReply(200, OK)
  expect(await auth.findUser('ada')).toMatchObject({ email: NEW, email_verified: 1 })
})

test('the link follows EMAIL_CHANGE_URL', async () => {
  const auth = await startWithAda({ EMAIL_CHANGE_URL: 'https://app.example.com/new?k={key}' })
  await auth.ask()
  const { values } = await auth.mail.newest('change-email', NEW)
  expect(values.link).toBe(`https://app.example.com/new?k=${values.key}`)
})

test('the database holds no key', async () => {
  const auth = await startWithAda()
  await auth.ask()
  const key = await changeKey(auth)
  expect((await dump(auth.db)).filter((value) => value.includes(key))).toEqual([])
})

test.each([
  [{}, { email: REQUIRED, password: REQUIRED }],
  [{ email: NEW }, { password: REQUIRED }],
  [{ email: NEW, password: '' }, { password: ['This field may not be blank.'] }],
  [{ email: NEW, password: null }, { password: ['This field may not be null.'] }],
  [{ email: NEW, password: [PASSWORD] }, { password: ['Not a valid string.'] }],
  [
    { email: 'nonsense', password: 'wrong' },
    { email: ['Enter a valid email address.'], password: ['Invalid password.'] },
  ],
  [
    { email: 'ADA@example.com', password: 'wrong' },
    { email: ['This is already your e-mail address.'], password: ['Invalid password.'] },
  ],
  [
    { email: `${'a'.repeat(255)}@x.example`, password: PASSWORD },
    { email: ['Ensure this field has no more than 254 characters.'] },
  ],
  [
    { email: ' Ada@Example.com ', password: PASSWORD },
    {
      email: ['This is already your e-mail address.'],
    },
  ],
])('%j is refused, and leaves nothing behind', async (body, errors) => {
  const { request, token, mail, db } = await startWithAda()
  expect(await request.post('email/change/', body, { token })).toMatchReply(400, errors)
  expect(await mail.letters()).toEqual([])
  expect(await countRows(db, 'email_keys')).toBe(0)
})

test('a wrong password counts as a failed login, and a locked account is 429', async () => {
  const { ask, request, mail } = await startWithAda()
  for (let n = 0; n < 10; n++) {
    expect(await ask(NEW, `wrong ${n}`)).toMatchReply(400, { password: ['Invalid password.'] })
  }
  expect(await ask()).toBeThrottled(300)
  expect(await request.post('login/', { username: 'ada', password: PASSWORD })).toBeThrottled(300)
  expect(await mail.letters()).toEqual([])
})

test('an address is kept in lower case, and compared without regard to it', async () => {
  const auth = await startWithAda()
  await auth.createUser({ username: 'bob', email: 'bob@example.com', verified: true })
  await auth.ask('Ada@NEW.example')
  expect(await auth.show()).toMatchObject({ pending: NEW })
  await auth.confirm(await changeKey(auth))
  expect(await auth.findUser('ada')).toMatchObject({ email: NEW, email_key: NEW })
  await auth.ask('BOB@Example.com')
  expect(await auth.mail.of('change-email')).toHaveLength(1)
  expect(await auth.mail.of('address-wanted')).toMatchObject([{ to: 'bob@example.com' }])
})

test('a user without an address gets one', async () => {
  const auth = await startAuth()
  await auth.createUser({ username: 'sol' })
  const login = await auth.request.post('login/', { username: 'sol', password: PASSWORD })
  const { key: token } = login.body as { key: string }
  const show = () => auth.request.get('email/', { token })
  expect(await show()).toMatchReply(200, { email: '', verified: false, pending: null })
  await auth.request.post('email/change/', { email: NEW, password: PASSWORD }, { token })
  expect(await auth.mail.templates()).toEqual(['change-email'])
  await auth.request.post('email/change/confirm/', { key: await changeKey(auth) })
  expect(await show()).toMatchReply(200, { email: NEW, verified: true, pending: null })
})

test('a user without a password sends none', async () => {
  const auth = await startWithAda()
  await auth.db.updateTable('users').set({ password: '!' }).execute()
  const { request, token } = auth
  expect(await request.post('email/change/', { email: NEW }, { token })).toMatchReply(200, SENT)
  expect(await auth.confirm(await changeKey(auth))).toMatchReply(200, OK)
})

test('what happened is on record', async () => {
  const auth = await startWithAda()
  await auth.ask()
  await auth.request.delete('email/change/', { token: auth.token })
  await auth.request.delete('email/change/', { token: auth.token })
  await auth.ask()
  await auth.confirm(await changeKey(auth))
  const { id } = await auth.findUser('ada')
  const events = (await auth.administration.history(id)).map(({ event, details }) => [
    event,
    details,
  ])
  expect(events).toEqual([
    ['email_changed', '{}'],
    ['email_change_requested', '{}'],
    ['email_change_cancelled', '{}'],
    ['email_change_requested', '{}'],
  ])
})
