import { expect, test } from 'vitest'
import { countRows } from '../support/dump.ts'
import { PASSWORD, type StartedAuth, startAuth } from '../support/start-auth.ts'

const PROVIDERS = { google: { APP: { client_id: 'c', secret: 's' } } }
const withLimits = (RATE_LIMITS: Record<string, string>) => ({
  ACCOUNT: { RATE_LIMITS, LOGIN_BY_CODE_ENABLED: true },
  SOCIALACCOUNT: { PROVIDERS },
})

type Ask = (
  auth: StartedAuth,
  n: number,
  from?: string,
) => ReturnType<StartedAuth['request']['post']>

const signUp: Ask = ({ request }, n, from = '192.0.2.1') =>
  request.post(
    'registration/',
    { username: `u${n}`, email: `u${n}@example.com`, password1: PASSWORD, password2: PASSWORD },
    { from },
  )
const asking =
  (path: string): Ask =>
  ({ request }, n, from = '192.0.2.1') =>
    request.post(path, { email: `nobody${n}@example.com` }, { from })

const LIMITED: [string, number, Ask, number][] = [
  ['signup', 20, asking('registration/'), 400],
  ['reset_mail', 20, asking('password/reset/'), 200],
  ['verify_mail', 20, asking('registration/resend-email/'), 200],
  ['code_mail', 20, asking('login/code/'), 200],
  ['passkey_begin', 60, asking('passkeys/login/begin/'), 200],
  ['social', 60, asking('google/'), 400],
]

test.each(LIMITED)('%s: %i in a minute per client address', async (_, count, ask, status) => {
  const auth = await startAuth(withLimits({}))
  for (let n = 0; n < count; n++) expect((await ask(auth, n)).status).toBe(status)
  expect(await ask(auth, count)).toBeThrottled(60)
  expect((await ask(auth, count, '192.0.2.2')).status).toBe(status)
  auth.clock.advance(60_000)
  expect((await ask(auth, count)).status).toBe(status)
})

const all = (rate: string) => Object.fromEntries(LIMITED.map(([name]) => [name, rate]))

test('none switches each of them off', async () => {
  const auth = await startAuth(withLimits(all('none')))
  for (const [name, count, ask, status] of LIMITED) {
    for (let n = 0; n <= count; n++) expect((await ask(auth, n)).status, name).toBe(status)
  }
})

test('the addresses of one /64 are one client', async () => {
  const auth = await startAuth(withLimits(all('1/m/ip')))
  for (const [name, , ask, status] of LIMITED) {
    expect((await ask(auth, 1, '2001:db8:0:1::1')).status, name).toBe(status)
    expect(await ask(auth, 2, '2001:db8:0:1:ffff::2'), name).toBeThrottled(60)
    expect((await ask(auth, 3, '2001:db8:0:2::1')).status, name).toBe(status)
  }
})

test('a request that one of two rates refuses does not use up the other', async () => {
  const auth = await startAuth(withLimits({ signup: '2/m/ip,3/h/ip' }))
  for (const n of [1, 2]) expect((await signUp(auth, n)).status).toBe(201)
  auth.clock.advance(60_000)
  expect((await signUp(auth, 3)).status).toBe(201)
  for (const wait of [3540, 3540]) expect(await signUp(auth, 4)).toBeThrottled(wait)
  auth.clock.advance(3_540_000 - 60_000)
  expect(await signUp(auth, 4)).toBeThrottled(60)
  auth.clock.advance(60_000)
  expect((await signUp(auth, 4)).status).toBe(201)
})

test('of many parallel sign-ups exactly as many as allowed succeed, and the others leave nothing', async () => {
  const auth = await startAuth(withLimits({ signup: '3/m/ip' }))
  const replies = await Promise.all(Array.from({ length: 12 }, (_, n) => signUp(auth, n)))
  const statuses = replies.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(3)
  expect(statuses.filter((status) => status === 429)).toHaveLength(9)
  expect(await auth.administration.list(0, 50)).toHaveLength(3)
  expect(await auth.mail.letters()).toHaveLength(3)
})

test('a refused request for a mail or a challenge writes no row', async () => {
  const auth = await startAuth(
    withLimits({ reset_mail: '1/m/ip', verify_mail: '1/m/ip', passkey_begin: '1/m/ip' }),
  )
  const paths = ['password/reset/', 'registration/resend-email/', 'passkeys/login/begin/']
  const written = async () =>
    (await countRows(auth.db, 'outbox')) + (await countRows(auth.db, 'passkey_challenges'))
  for (const path of paths) {
    const before = await written()
    expect((await asking(path)(auth, 1)).status).toBe(200)
    const after = await written()
    expect(after).toBeGreaterThan(before)
    expect(await asking(path)(auth, 2)).toBeThrottled(60)
    expect(await written()).toBe(after)
  }
})

test('ten other names in an hour per user; the own one is free', async () => {
  const auth = await startAuth()
  const ada = { token: await auth.createUserWithToken('ada') }
  const bob = { token: await auth.createUserWithToken('bob') }
  const tryName = (username: string, who = ada) => auth.request.patch('user/', { username }, who)
  for (let n = 0; n < 10; n++) expect((await tryName('BOB')).status).toBe(400)
  for (let n = 0; n < 3; n++) expect((await tryName('Ada')).status).toBe(200)
  expect(await tryName('bob')).toBeThrottled(3600)
  expect(await tryName('free')).toBeThrottled(3600)
  expect((await auth.request.patch('user/', { first_name: 'A' }, ada)).status).toBe(200)
  expect((await tryName('free', bob)).status).toBe(200)
  auth.clock.advance(3_600_000)
  expect((await auth.request.put('user/', { username: 'ada2' }, ada)).status).toBe(200)
})

test('parallel tries for names do not exceed the limit together', async () => {
  const auth = await startAuth(withLimits({ change_name: '2/h/user' }))
  await auth.createUser({ username: 'bob' })
  const token = await auth.createUserWithToken('ada')
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => auth.request.patch('user/', { username: 'bob' }, { token })),
  )
  expect(replies.map(({ status }) => status).sort()).toEqual([400, 400, ...Array(6).fill(429)])
})

test('ten notices in an hour to one address, silently', async () => {
  const auth = await startAuth()
  const token = await auth.createUserWithToken('ada')
  const change = (n: number) => {
    const password = `${PASSWORD} ${n}`
    const body = { new_password1: password, new_password2: password }
    return auth.request.post('password/change/', body, { token })
  }
  for (let n = 0; n < 12; n++) expect((await change(n)).status).toBe(200)
  expect(await auth.mail.letters()).toHaveLength(10)
  auth.clock.advance(3_600_000)
  expect((await change(12)).status).toBe(200)
  expect(await auth.mail.letters()).toHaveLength(11)
})
