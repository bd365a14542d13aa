import { expect, test } from 'vitest'
import { startImported } from '../../../../django/test/support/django.ts'
import type { Reply } from '../../support/client.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { DUE, isDue, setUpFactor, startRequired } from '../../support/required-factor.ts'

const DAY = 86_400_000

const statuses = (replies: readonly Reply[]) => [...new Set(replies.map(({ status }) => status))]

test('a social login leads to the set-up, the first one and the next', async () => {
  const idp = await startHostileProvider()
  const started = await startRequired('token', idp.settings())
  const { request, clock, findUser } = started
  const logIn = async () => {
    clock.advance(1000)
    const owner = { sub: 'grace', email: 'grace@example.com', email_verified: true }
    const { body } = await request.post('idp/', { id_token: await idp.idToken(clock, owner) })
    const { key: token } = body as { key: string }
    return {
      get: (path: string) => request.get(path, { token }),
      post: (path: string, sent: object = {}) => request.post(path, sent, { token }),
    }
  }
  for (const grace of [await logIn(), await logIn()]) {
    expect(await isDue(grace)).toBe(true)
    expect(await grace.get('socialaccounts/')).toMatchReply(...DUE)
    expect(await grace.post('password/change/', {})).toMatchReply(...DUE)
  }
  const before = await findUser('grace@example.com')
  const grace = await logIn()
  await setUpFactor(started, grace)
  expect((await grace.get('socialaccounts/')).status).toBe(200)
  expect((await findUser('grace@example.com')).password).toBe(before.password)
})

test.each([0, 1])(
  'what was imported from Django leads there, too, after %i days of grace',
  async (MFA_GRACE_DAYS) => {
    const { request, live, clock } = await startImported('default', {
      settings: { MFA_REQUIRED: 'all', MFA_GRACE_DAYS },
    })
    const factorless = live.users.filter(({ totp, is_active }) => is_active && totp === null)
    const credentials = factorless.flatMap(({ token, sessions }) => [
      ...sessions.filter(({ works }) => works).map(({ sessionid }) => ({ cookies: { sessionid } })),
      ...(token ? [{ token }] : []),
    ])
    expect(credentials.length).toBeGreaterThan(5)
    const use = () => Promise.all(credentials.map((sent) => request.get('sessions/', sent)))
    expect(statuses(await use())).toEqual([MFA_GRACE_DAYS === 0 ? 403 : 200])
    clock.advance(MFA_GRACE_DAYS * DAY)
    const replies = await use()
    // Some of the sessions have expired by then.
    for (const reply of replies.filter(({ status }) => status !== 401)) {
      expect(reply).toMatchReply(...DUE)
    }
    expect(statuses(replies)).toContain(403)
  },
)
