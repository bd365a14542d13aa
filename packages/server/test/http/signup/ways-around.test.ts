import { expect, test } from 'vitest'
import type { Actor } from '../../../src/features/administration/rules.ts'
import { signup, twice } from '../../support/accounts.ts'
import { createAuthenticator } from '../../support/authenticator.ts'
import { countRows } from '../../support/dump.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { invite } from '../../support/invitations.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const STRANGER = 'eve@example.com'
const OPERATOR: Actor = { kind: 'cli', name: 'test', may: 'all' }

/** A service with every way in, a provider that vouches for the stranger, and one user. */
async function start(ACCOUNT: object) {
  const idp = await startHostileProvider()
  const { SOCIALACCOUNT } = idp.settings({ EMAIL_AUTHENTICATION: true })
  const started = await startAuth({
    SOCIALACCOUNT,
    ACCOUNT: { LOGIN_BY_CODE_ENABLED: true, ...ACCOUNT },
  })
  const token = await started.createUserWithToken('ada')

  /** Logs in at the provider in each of the ways there are, and returns the answers. */
  async function bySocialLogin(claims: object, sent: object = {}) {
    const { request, clock } = started
    const owner = { sub: 'eve-elsewhere', email_verified: true, ...claims }
    const id_token = () => idp.idToken(clock, owner)
    idp.knowAccessToken('the-token', owner)
    idp.giveForCode({ access_token: 'the-token', id_token: await id_token() })
    return [
      await request.post('idp/', { id_token: await id_token(), ...sent }),
      await request.post('idp/', { access_token: 'the-token', ...sent }),
      await request.post('idp/', { code: `code-${clock.now()}`, ...sent }),
    ]
  }

  return { ...started, token, bySocialLogin }
}

test.each(['invited', 'closed'])('%s: no way around an invitation', async (SIGNUP) => {
  const started = await start({ SIGNUP })
  const { request, db, mail, bySocialLogin } = started
  const options = { rp: { id: 'localhost' }, challenge: 'AAAA', user: { id: 'AAAA', name: 'eve' } }
  const credential = createAuthenticator().create(options as never)
  const session_id = '0'.repeat(32)
  const replies = [
    await request.post('registration/', signup('eve')),
    await request.post('registration/', { ...signup('eve'), invitation: 'x' }),
    await request.post('passkeys/signup/begin/', { email: STRANGER }),
    await request.post('passkeys/signup/begin/', { email: STRANGER, invitation: 'x' }),
    await request.post('passkeys/signup/complete/', { credential, session_id }),
    ...(await bySocialLogin({ email: STRANGER })),
    ...(await bySocialLogin({})),
    ...(await bySocialLogin({ email: STRANGER }, { invitation: 'x' })),
    await request.post('login/code/confirm/', { session_id, code: '000000' }),
    await request.post('registration/verify-email/', { key: 'x' }),
    await request.post('password/reset/confirm/', { uid: 'Mg', token: 'x-y', ...twice(PASSWORD) }),
  ]
  for (const { status } of replies) expect([400, 403, 404]).toContain(status)
  // These tell nobody who has an account, so they look as usual.
  expect((await request.post('login/code/', { email: STRANGER })).status).toBe(200)
  expect((await request.post('password/reset/', { email: STRANGER })).status).toBe(200)
  await request.post('registration/resend-email/', { email: STRANGER })

  expect(await countRows(db, 'users')).toBe(1)
  expect(await countRows(db, 'social_accounts')).toBe(0)
  expect(await countRows(db, 'passkey_challenges')).toBe(0)
  expect((await mail.letters()).filter(({ to }) => to === STRANGER)).toEqual([])
})

test('a user who takes an invited address gets no second account, and nobody else gets theirs', async () => {
  const started = await start({ SIGNUP: 'invited' })
  const { request, token, db } = started
  const invitation = await invite(started, 'bob@example.com', { groups: ['editors'] })
  const change = { email: 'bob@example.com', password: PASSWORD }
  expect((await request.post('email/change/', change, { token })).status).toBe(200)
  const key = (await started.mail.newest('change-email', 'bob@example.com')).values.key ?? ''
  expect((await request.post('email/change/confirm/', { key })).status).toBe(200)
  const body = { ...signup('bob'), email: undefined, invitation }
  expect(await request.post('registration/', body)).toMatchReply(400, {
    email: ['User is already registered with this e-mail address.'],
  })
  expect(await countRows(db, 'users')).toBe(1)
  expect(await started.findUser('ada')).toMatchObject({ group_names: '[]' })
})

test.each(['invited', 'closed'])('%s: operators still create users', async (SIGNUP) => {
  const { auth, findUser } = await start({ SIGNUP })
  const { operations } = auth.services
  await operations.call(OPERATOR, 'users.create', { username: 'eve', email: STRANGER })
  expect(await findUser('eve')).toMatchObject({ email: STRANGER })
})

test.each([
  'eve@spam.example',
  'EVE@SPAM.EXAMPLE',
  'eve+news@spam.example',
  'eve@spam.example.',
  'eve@ｓｐａｍ.example',
  'eve@spam。example',
  'eve＠spam.example',
  'eve@a.b.spam.example',
  'eve@BÜCHER.example',
  'eve@bu\u0308cher.example',
  'eve@XN--BCHER-KVA.example',
  ' eve@spam.example ',
  'eve@spam\u00AD.example',
])('blocked: %j gets in by no way', async (email) => {
  const BLOCKED_EMAIL_DOMAINS = ['spam.example', '*.spam.example', 'bücher.example']
  const { request, token, db, mail, bySocialLogin } = await start({ BLOCKED_EMAIL_DOMAINS })
  const replies = [
    await request.post('registration/', signup('eve', email)),
    await request.post('passkeys/signup/begin/', { email }),
    await request.post('email/change/', { email, password: PASSWORD }, { token }),
  ]
  for (const reply of replies) {
    expect(reply.status).toBe(400)
    expect(Object.keys(reply.body as object)).toEqual(['email'])
  }
  await bySocialLogin({ email })
  const users = await db.selectFrom('users').select('email').execute()
  expect(users.filter(({ email: kept }) => /spam|cher/.test(kept))).toEqual([])
  expect(await mail.letters()).toEqual([])
})
