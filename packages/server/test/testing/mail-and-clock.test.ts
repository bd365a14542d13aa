import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TestLetter } from '../../src/testing/mailbox.ts'
import type { TestUser } from '../../src/testing/new-users.ts'
import { good, startService } from './support.ts'

let service: Awaited<ReturnType<typeof startService>>

beforeAll(async () => {
  service = await startService({ ACCOUNT: { LOGIN_BY_CODE_ENABLED: true } }, { atTheEnd: afterAll })
})

beforeEach(async () => {
  await good(service.test('POST', 'reset'))
  await good(service.test('POST', 'users', { username: 'ada' }))
})

const ADA = 'ada@example.com'
const askForReset = () => good(service.api('POST', 'password/reset/', { email: ADA }))
const mail = (query = '') => good<TestLetter[]>(service.test('GET', `mail${query}`))
const turn = (body: object) =>
  good<{ now: string; frozen: boolean }>(service.test('POST', 'clock', body))

test('a letter is there as soon as the request is answered, with what a test needs of it', async () => {
  await askForReset()
  const [letter] = await mail(`?to=${ADA}&kind=reset-password`)
  expect(letter).toMatchObject({ to: ADA, kind: 'reset-password', code: null, key: null })
  expect(letter?.link).toMatch(/^http:\/\/localhost:\d+\/account\/password\/reset\//)
  const body = { new_password1: 'Nn-5566-yy', new_password2: 'Nn-5566-yy' }
  const { uid, token } = letter ?? {}
  const answer = await service.api('POST', 'password/reset/confirm/', { uid, token, ...body })
  expect(answer.status).toBe(200)
  expect(letter?.text).toContain(letter?.link)

  await good(service.api('POST', 'login/code/', { email: ADA }))
  const [withCode, ...more] = await mail(`?after=${letter?.id}&to=ADA@EXAMPLE.com&kind=login-code`)
  expect(withCode?.code).toMatch(/^\d+$/)
  expect(more).toEqual([])
  // The mailbox page shows the same.
  const page = await fetch(service.mailbox)
  expect(await page.text()).toContain(withCode?.subject)
})

test('a reader waits until the letter comes, and no longer', async () => {
  const waiting = mail(`?to=${ADA}&wait=30s`)
  await askForReset()
  expect(await waiting).toHaveLength(1)
  expect(await mail('?to=nobody@example.com&wait=0.01s')).toEqual([])
})

test.each([
  ['?kind=resett', 'kind: expected verify-email'],
  ['?wait=2h', 'wait: expected a duration from'],
  ['?after=nothing', 'there is no letter with this id'],
  ['?from=x', '"from" is not known in the query'],
])('mail%s is refused', async (query, words) => {
  const { status, body } = await service.test('GET', `mail${query}`)
  expect(status).toBe(400)
  expect((body as { detail: string }).detail).toContain(words)
})

test('the clock is turned, stopped and started', async () => {
  await turn({ set: '2030-05-01T12:00:00Z' })
  expect(await turn({ freeze: true })).toMatchObject({ frozen: true })
  const { now } = await turn({ advance: '90m' })
  expect(now.slice(0, 16)).toBe('2030-05-01T13:30')
  expect(await good(service.test('GET', 'clock'))).toEqual({ now, frozen: true })
  expect(await turn({ run: true })).toMatchObject({ frozen: false })
  expect(await turn({ freeze: '2031-01-01T00:00:00Z' })).toEqual({
    now: '2031-01-01T00:00:00.000Z',
    frozen: true,
  })
})

test('what expires, expires when the clock is turned', async () => {
  await askForReset()
  const [letter] = await mail()
  const path = `password/reset/confirm/${letter?.uid}/${letter?.token}/`
  expect(await service.api('GET', path)).toMatchObject({ status: 200 })
  await turn({ advance: '2h' })
  expect(await service.api('GET', path)).toMatchObject({ status: 400 })
})

test('a letter that was refused is sent when it is due', async () => {
  await good(service.test('POST', 'faults', { smtp: 'refuse' }))
  await askForReset()
  expect(await mail()).toEqual([])
  await good(service.test('POST', 'faults', { smtp: null }))
  await turn({ advance: '1h' })
  expect(await mail()).toHaveLength(1)
})

test('a mail server that hangs holds up nobody', async () => {
  await good(service.test('POST', 'faults', { smtp: 'hang' }))
  await askForReset()
  expect(await mail()).toEqual([])
  await turn({ advance: '10s' })
  expect(await mail()).toEqual([])
  await good(service.test('DELETE', 'faults'))
  await turn({ advance: '2h' })
  expect(await mail('?wait=10s')).toHaveLength(1)
})

test.each([
  [{}, 'Expected one of advance, set, freeze, run.'],
  [{ advance: '1h', run: true }, 'not advance and run'],
  [{ advance: '-1h' }, 'advance: expected a duration'],
  [{ advance: 'soon' }, 'advance: expected a duration'],
  [{ advance: '90000d' }, 'a duration'],
  [{ set: 'tomorrow' }, 'set: expected a time between 2000 and 2200'],
  [{ set: '1980-01-01T00:00:00Z' }, 'set: expected a time'],
  [{ set: 5 }, 'set: expected a time'],
  [{ freeze: false }, 'For the opposite, use run.'],
])('the clock refuses %j and stays as it is', async (body, words) => {
  const before = await turn({ freeze: true })
  const answer = await service.test('POST', 'clock', body)
  expect(answer.status).toBe(400)
  expect((answer.body as { detail: string }).detail).toContain(words)
  expect(await good(service.test('GET', 'clock'))).toEqual(before)
})

test('limits are forgotten on request', async () => {
  const wrong = () => service.api('POST', 'login/', { username: 'ada', password: 'wrong' })
  for (let tries = 0; tries < 10; tries++) await wrong()
  expect(await wrong()).toMatchObject({ status: 429 })
  await good(service.test('POST', 'limits/reset'))
  expect(await wrong()).toMatchObject({ status: 400 })
})

test('events tell what happened to accounts, and a login by the test service is one', async () => {
  const types = async (query = '') =>
    (await good<{ type: string }[]>(service.test('GET', `events${query}`))).map((one) => one.type)
  expect(await types()).toEqual(['registered'])
  const waiting = types('?type=signedIn&wait=30s')
  const { user } = await good<TestUser>(service.test('POST', 'login', { user: 'ada' }))
  expect(await waiting).toEqual(['signedIn'])
  expect(user.username).toBe('ada')
  expect(await service.test('GET', 'events?type=moved')).toMatchObject({ status: 400 })
})

test('a user reads letters in their language', async () => {
  const many = await startService({ LANGUAGES: ['en', 'de'] })
  await good(many.test('POST', 'users', { username: 'ada', language: 'de' }))
  await good(many.api('POST', 'password/reset/', { email: ADA }))
  const [letter] = await good<TestLetter[]>(many.test('GET', 'mail'))
  expect(letter?.text).toContain('Passwort')
  expect(await many.test('POST', 'users', { language: 'xx' })).toMatchObject({ status: 400 })
})
