import { expect, test } from 'vitest'
import { UNABLE } from '../support/answers.ts'
import { recordingHasher } from '../support/hashers.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

const UNLIMITED = { ACCOUNT: { RATE_LIMITS: { login_failed: 'none' } } }

/** Every reason why a login fails. The answer must not tell which. */
const FAILURES: Record<string, { username: string; password: string }> = {
  'an unknown name': { username: 'nobody', password: PASSWORD },
  'a wrong password': { username: 'ada', password: 'wrong' },
  'an inactive user': { username: 'ines', password: PASSWORD },
  'an inactive user, and a wrong password': { username: 'ines', password: 'wrong' },
  'a user without a password': { username: 'sol', password: PASSWORD },
  'the text that is stored instead of one': { username: 'sol', password: '!' },
  'an unverified address, and a wrong password': { username: 'uma', password: 'wrong' },
}

async function startWithEverybody(settings = {}, options = {}) {
  const auth = await startAuth({ ...UNLIMITED, ...settings }, options)
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

test('nor does the work that it takes', async () => {
  const { hasher, work } = recordingHasher()
  const { request } = await startWithEverybody({}, { hasher })
  for (const [why, credentials] of Object.entries(FAILURES)) {
    work.length = 0
    await request.post('login/', credentials)
    expect(work, why).toEqual(['argon2id$v=19$m=8,t=1,p=1'])
  }
})

test('what a stranger asks of user/ does not depend on who exists', async () => {
  const { request } = await startWithEverybody()
  for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
    for (const [known, unknown] of [
      ['user/?username=ada', 'user/?username=nobody'],
      ['user/1/', 'user/99/'],
      ['user/ada/', 'user/nobody/'],
    ] as const) {
      const { status, body } = await request.call(method, unknown)
      expect(status, `${method} ${unknown}`).not.toBe(200)
      expect(await request.call(method, known)).toMatchReply(status, body)
    }
  }
})
