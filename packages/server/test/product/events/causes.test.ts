import { expect, test } from 'vitest'
import { djangoFile, importInto } from '../../../../django/test/support/django.ts'
import { projectSql, vectors } from '../../../../django/test/support/django-project.ts'
import { requestReset, STRONG, signup, twice, verificationKey } from '../../support/accounts.ts'
import { changeKey, NEW } from '../../support/addresses.ts'
import { BY_CODE, codesIn } from '../../support/codes.ts'
import { countRows } from '../../support/dump.ts'
import { inShort, startListening } from '../../support/events.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { activate, challengeOf, codeOf, verify } from '../../support/mfa.ts'
import { beginLogin, registered } from '../../support/passkeys.ts'
import { PASSWORD } from '../../support/start-auth.ts'

const ADA = 'ada@example.com'
const HERE = { address: '127.0.0.1' }

const ada = (type: string, details: object) => ({ type, ...details, user: 'ada' })
const signedIn = (method: string) => ada('signedIn', { method, ...HERE })

/** A service whose hooks have heard of Ada and her login already. */
async function startWithAda(settings: object = {}) {
  const started = await startListening(settings)
  const token = await started.createUserWithToken('ada')
  await started.told()
  return { ...started, token }
}

test('an event says what happened, when and to whom, and has no secret', async () => {
  const { request, told, findUser, clock } = await startListening({
    USER_FIELDS: { phone: { type: 'string', signup: true } },
  })
  await request.post('registration/', { ...signup('ada'), phone: '+44 1815' })
  const [event, ...others] = await told()
  expect(event).toEqual({
    id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
    type: 'registered',
    timestamp: new Date(clock.now()).toISOString(),
    method: 'registration',
    user: {
      pk: (await findUser('ada')).id,
      username: 'ada',
      email: ADA,
      first_name: '',
      last_name: '',
      email_verified: false,
      is_active: true,
      is_staff: false,
      is_superuser: false,
      groups: [],
      language: null,
      date_joined: new Date(clock.now()).toISOString(),
      last_login: null,
      fields: { phone: '+44 1815' },
    },
  })
  expect(inShort(others)).toEqual([signedIn('registration')])
})

test('a registration that waits for a proved address is no login', async () => {
  const ACCOUNT = { EMAIL_VERIFICATION: 'mandatory' } as const
  const { request, told } = await startListening({ ACCOUNT })
  await request.post('registration/', signup('ada'))
  expect(inShort(await told())).toEqual([ada('registered', { method: 'registration' })])
})

test('the first social login is a registration, the second is only a login', async () => {
  const idp = await startHostileProvider()
  const { request, clock, told } = await startListening(idp.settings())
  const claims = { preferred_username: 'ada' }
  const logIn = async () => request.post('idp/', { id_token: await idp.idToken(clock, claims) })
  await logIn()
  expect(inShort(await told())).toEqual([
    ada('registered', { method: 'social' }),
    signedIn('social'),
  ])
  clock.advance(1000)
  await logIn()
  expect(inShort(await told())).toEqual([signedIn('social')])
})

test('an operator causes the same events as a user', async () => {
  const { administration, told } = await startListening()
  const account = { username: 'ada', email: ADA, verified: true, active: true }
  const user = await administration.create({ ...account, password: PASSWORD })
  await administration.setPassword(user, STRONG)
  await administration.remove(user)
  expect(inShort(await told())).toEqual([
    ada('registered', { method: 'operator' }),
    ada('passwordChanged', { method: 'operator' }),
    ada('deleted', { by: 'operator' }),
  ])
})

test('every login is told once, when it is complete', async () => {
  const started = await startWithAda({ ACCOUNT: BY_CODE })
  const { request, token, told } = started
  await request.post('login/', { username: 'ada', password: PASSWORD })
  expect(inShort(await told())).toEqual([signedIn('password')])

  const { begin, confirm } = codesIn(started)
  await confirm(await begin(ADA))
  expect(inShort(await told())).toEqual([signedIn('code')])

  const authenticator = await registered(request, token)
  const options = await beginLogin(request, { username: 'ada' })
  const credential = authenticator.get(options)
  await request.post('passkeys/login/complete/', { credential, session_id: options.session_id })
  expect(inShort(await told())).toEqual([signedIn('passkey')])

  const { secret } = await activate(started, token)
  expect(inShort(await told())).toEqual([ada('mfaChanged', { change: 'activated' })])
  const challenge = await challengeOf(started, 'ada')
  expect(await told()).toEqual([])
  expect((await verify(started, challenge, codeOf(started, secret))).status).toBe(200)
  expect(inShort(await told())).toEqual([signedIn('password')])
})

test('a new password is told, by whatever way it came', async () => {
  const started = await startWithAda()
  const { request, token, told } = started
  await request.post('password/change/', twice(STRONG), { token })
  expect(inShort(await told())).toEqual([ada('passwordChanged', { method: 'change' })])
  const { uid, token: reset } = await requestReset(started, ADA)
  expect(await told()).toEqual([])
  await request.post('password/reset/confirm/', { uid, token: reset, ...twice(PASSWORD) })
  expect(inShort(await told())).toEqual([ada('passwordChanged', { method: 'reset' })])
})

test('a code to an unproved address takes the password of whoever registered with it', async () => {
  const started = await startListening({ ACCOUNT: BY_CODE })
  await started.request.post('registration/', signup('ada'))
  await started.told()
  const { begin, confirm } = codesIn(started)
  await confirm(await begin(ADA))
  expect(inShort(await started.told())).toEqual([
    ada('passwordChanged', { method: 'removed' }),
    signedIn('code'),
  ])
})

test('a new address is told when it is confirmed, with the former one', async () => {
  const started = await startWithAda()
  const { request, token, told } = started
  await request.post('email/change/', { email: NEW, password: PASSWORD }, { token })
  expect(await told()).toEqual([])
  await request.post('email/change/confirm/', { key: await changeKey(started) })
  const events = await told()
  expect(inShort(events)).toEqual([ada('emailChanged', { former_email: ADA })])
  expect(events[0]?.user).toMatchObject({ email: NEW, email_verified: true })
})

test('an address that is taken from an account is told', async () => {
  const started = await startListening()
  const { request, told } = started
  await request.post('registration/', signup('ada'))
  await told()
  const key = await verificationKey(started, ADA)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await request.post(`/account/confirm/${key}`, 'answer=not-mine', { headers })
  const events = await told()
  expect(inShort(events)).toEqual([ada('emailChanged', { former_email: ADA })])
  expect(events[0]?.user.email).toBe('')
})

test('a change of the second factor is told', async () => {
  const started = await startWithAda()
  const { request, token, told, administration, findUser } = started
  const { secret } = await activate(started, token)
  await request.post('mfa/recovery-codes/regenerate/', {}, { token })
  await request.post('mfa/totp/deactivate/', { code: codeOf(started, secret) }, { token })
  await activate(started, token)
  await administration.resetMfa(await findUser('ada'))
  expect(inShort(await told())).toEqual(
    ['activated', 'recovery_codes_regenerated', 'deactivated', 'activated', 'deactivated'].map(
      (change) => ada('mfaChanged', { change }),
    ),
  )
})

test('a key for a program is told when it is made and revoked, without its secret', async () => {
  const { request, token, told, auth, findUser } = await startWithAda({ API_KEYS: true })
  const ask = { name: 'backup', scopes: ['user:read'] }
  const made = await request.post('tokens/', ask, { token })
  await request.post('tokens/', { ...ask, scopes: [] }, { token })
  await request.post('tokens/', ask, { token })
  await request.delete('tokens/1/', { token })
  await request.delete('tokens/1/', { token })
  const by = { kind: 'cli', name: 'grace', may: 'all' } as const
  const pk = String((await findUser('ada')).id)
  await auth.services.operations.call(by, 'users.revokeApiKey', { pk, id: '2' })
  const events = await told()
  const changes = [
    ['created', 1],
    ['created', 2],
    ['revoked', 1],
    ['revoked', 2],
  ]
  expect(inShort(events)).toEqual(
    changes.map(([change, key]) => ada('apiKeysChanged', { change, key, name: 'backup' })),
  )
  expect(JSON.stringify(events)).not.toContain((made.body as { key: string }).key)
})

test('a second factor stays when the address is proved, and no event says otherwise', async () => {
  const started = await startListening({ ACCOUNT: BY_CODE })
  const { request, db, told, auth } = started
  const { body } = await request.post('registration/', signup('ada'))
  const { key: token } = body as { key: string }
  // As if the setting had allowed it at that time.
  await db.updateTable('users').set({ email_verified: 1 }).execute()
  await activate(started, token)
  await db.updateTable('users').set({ email_verified: 0 }).execute()
  await told()
  const key = await verificationKey(started, ADA)
  await request.post('registration/verify-email/', { key })
  expect(inShort(await told())).toEqual([])
  expect(await auth.services.mfa.isOn(1)).toBe(true)
})

test('a user who leaves is told with all that was known of them', async () => {
  const { request, token, told } = await startWithAda({ ACCOUNT: { DELETION: true } })
  await request.post('account/delete/', { password: PASSWORD }, { token })
  const events = await told()
  expect(inShort(events)).toEqual([ada('deleted', { by: 'user' })])
  expect(events[0]?.user).toMatchObject({ email: ADA })
})

test('an import tells only of users who were deleted there', async () => {
  const source = await djangoFile(projectSql)
  const started = await startListening()
  const wish = { table: 'auth_user', secretKeys: [vectors.secretKey] }
  await importInto(started, source.url, wish)
  expect(await started.told()).toEqual([])
  await source.change('delete from auth_user where id = 12')
  await importInto(started, source.url, { ...wish, isDry: true })
  expect(await started.told()).toEqual([])
  await importInto(started, source.url, wish)
  expect(inShort(await started.told())).toMatchObject([{ type: 'deleted', by: 'import' }])
})

test('what changes nothing of this, or is refused, is not told', async () => {
  const started = await startWithAda({ REST_AUTH: { USE_JWT: true } })
  const { request, told, db } = started
  const { body } = await request.post('login/', { username: 'ada', password: PASSWORD })
  const { access, refresh } = body as { access: string; refresh: string }
  const headers = { authorization: `Bearer ${access}` }
  await told()
  await request.post('token/refresh/', { refresh })
  await request.patch('user/', { first_name: 'Ada' }, { headers })
  await request.post('reauthenticate/', { password: PASSWORD }, { headers })
  await request.post('login/', { username: 'ada', password: 'wrong' })
  await request.post('registration/', signup('ada'))
  await request.post('password/change/', { new_password1: 'a', new_password2: 'b' }, { headers })
  await request.post('logout/', { refresh }, { headers })
  expect(await countRows(db, 'events')).toBe(0)
  expect(await told()).toEqual([])
})
