import { expect, test } from 'vitest'
import { UNABLE } from '../support/answers.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

const UNLIMITED = { ACCOUNT: { RATE_LIMITS: { login_failed: 'none' } } }

/** Every reason for which a login fails, and must not tell which. */
const FAILURES: Record<string, { username: string; password: string }> = {
  'an unknown name': { username: 'nobody', password: PASSWORD },
  'a wrong password': { username: 'ada', password: 'wrong' },
  'an inactive user': { username: 'ines', password: PASSWORD },
  'an inactive user, and a wrong password': { username: 'ines', password: 'wrong' },
  'a user without a password': { username: 'sol', password: PASSWORD },
  'the text that is stored instead of one': { username: 'sol', password: '!' },
  'an unverified address, and a wrong password': { username: 'uma', password: 'wrong' },
}

async function startWithEverybody(settings = {}) {
  const auth = await startAuth({ ...UNLIMITED, ...settings })
  const { createUser } = auth
  const account = (username: string) => ({ username, email: `${username}@example.com` })
  await createUser({ ...account('ada'), verified: true })
  await createUser({ ...account('ines'), verified: true, active: false })
  await createUser({ ...account('sol'), verified: true, password: null })
  await createUser(account('uma'))
  return auth
}

test.each([
  ['by username', {}, (username: string) => ({ username })],
  [
    'by address',
    { ...UNLIMITED, ACCOUNT: { ...UNLIMITED.ACCOUNT, LOGIN_METHODS: 'email' } },
    (username: string) => ({ email: `${username}@example.com` }),
  ],
  [
    'by an address typed into the username, where verification is mandatory',
    { ACCOUNT: { ...UNLIMITED.ACCOUNT, EMAIL_VERIFICATION: 'mandatory' } },
    (username: string) => ({ username: `${username}@example.com` }),
  ],
])('a failed login %s never tells why', async (_, settings, named) => {
  const { request } = await startWithEverybody(settings)
  const seen = new Set<string>()
  for (const [why, { username, password }] of Object.entries(FAILURES)) {
    const reply = await request.post('login/', { ...named(username), password })
    expect(reply, why).toMatchReply(400, UNABLE)
    const { date: _date, 'x-request-id': _id, ...headers } = reply.headers
    seen.add(JSON.stringify(headers))
  }
  expect([...seen]).toHaveLength(1)
})

test('nor does the time that it takes', async () => {
  const { request } = await startWithEverybody()
  const fastest: Record<string, number> = {}
  const spread = () => Math.max(...Object.values(fastest)) / Math.min(...Object.values(fastest))

  // Of many tries the fastest is the least disturbed, so on a busy machine more of them tell more.
  // A hash left out stays ten times as fast, and one too many twice as slow, however many there are.
  for (let round = 0; round < 4 || (round < 60 && spread() >= 1.7); round++) {
    for (const [why, credentials] of Object.entries(FAILURES)) {
      const start = performance.now()
      await request.post('login/', credentials)
      fastest[why] = Math.min(fastest[why] ?? Infinity, performance.now() - start)
    }
  }
  expect(spread(), JSON.stringify(fastest)).toBeLessThan(1.7)
})

test('what a stranger asks of user/ does not depend on who exists', async () => {
  const { request } = await startWithEverybody()
  for (const path of ['user/?username=ada', 'user/1/', 'user/ada/', 'user/99/']) {
    for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
      const reply = await request.call(method, path)
      expect([204, 401, 404]).toContain(reply.status)
    }
  }
  const known = await request.call('OPTIONS', 'user/1/')
  const unknown = await request.call('OPTIONS', 'user/99/')
  expect(known).toMatchReply(unknown.status, unknown.body)
})
