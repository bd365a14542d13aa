import { describe, expect, test } from 'vitest'
import { NOT_PROVIDED } from '../../support/answers.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { createUserWithMfa } from '../../support/mfa.ts'
import { modes, startMode } from '../../support/modes.ts'
import { registered } from '../../support/passkeys.ts'
import { startAuth } from '../../support/start-auth.ts'

type Export = Record<string, unknown> & {
  cut: string[]
  history: { event: string; details: object }[]
  logins: object[]
}

describe.each(modes)('with the credential of mode %s', (mode) => {
  test('users download everything that is known about them', async () => {
    const { logIn } = await startMode(mode)
    const ada = await logIn()
    const reply = await ada.get('account/export/')
    expect(reply.status).toBe(200)
    expect(reply.headers['content-disposition']).toBe('attachment; filename="account.json"')
    expect(reply.headers['cache-control']).toContain('no-store')
    const user = { pk: 1, username: 'ada', email: 'ada@example.com', email_verified: true }
    expect(reply.body).toMatchObject({ exported_at: '2030-01-01T12:00:00.000Z', cut: [], user })
  })
})

test('nobody else gets it', async () => {
  const { request, createUser } = await startAuth()
  await createUser({ username: 'ada' })
  expect(await request.get('account/export/')).toMatchReply(401, NOT_PROVIDED)
})

test('it tells what every feature knows, and no secret', async () => {
  const idp = await startHostileProvider()
  const started = await startAuth({
    ...idp.settings(),
    USER_FIELDS: { phone: { type: 'string', unique: true } },
  })
  const { request, clock, db } = started
  const { token, secret, codes } = await createUserWithMfa(started, 'ada')
  await registered(request, token)
  await request.post('idp/connect/', { id_token: await idp.idToken(clock) }, { token })
  await request.patch('user/', { phone: '+44 1815', last_name: 'Lovelace' }, { token })
  await request.post('password/reset/', { email: 'ada@example.com' })
  const reply = await request.get('account/export/', { token })
  const known = reply.body as Export
  expect(Object.keys(known).sort()).toEqual([
    'api_keys',
    'cut',
    'events',
    'exported_at',
    'further_addresses',
    'history',
    'invitations',
    'logins',
    'mails',
    'passkeys',
    'pending_confirmations',
    'second_factor',
    'social_accounts',
    'user',
  ])
  expect(known).toMatchObject({
    user: { last_name: 'Lovelace', has_password: true, fields: { phone: '+44 1815' } },
    second_factor: { mfa_enabled: true, recovery_codes_left: codes.length },
    passkeys: [{ name: 'Passkey', discoverable: true }],
    social_accounts: [{ provider: 'idp', uid: 'ada-elsewhere' }],
  })
  expect(known.logins).toContainEqual(expect.objectContaining({ method: 'token' }))
  expect(known.mails).toContainEqual(expect.objectContaining({ kind: 'reset-password' }))
  expect(known.history.map(({ event }) => event)).toContain('passkey_added')

  const text = JSON.stringify(known)
  const { password } = await db.selectFrom('users').select('password').executeTakeFirstOrThrow()
  const digests = await db.selectFrom('tokens').select(['digest', 'sealed_key']).execute()
  const hidden = [
    token,
    secret,
    ...codes,
    password,
    ...digests.flatMap((row) => Object.values(row)),
  ]
  for (const one of hidden) expect(text).not.toContain(one)
})

test('it is noted, and told in the next one', async () => {
  const { request, createUserWithToken, auth } = await startAuth()
  const token = await createUserWithToken('ada')
  await request.get('account/export/', { token })
  const { history } = (await request.get('account/export/', { token })).body as Export
  expect(history).toEqual([
    { at: '2030-01-01T12:00:00.000Z', event: 'account_exported', details: { by: 'user' } },
  ])
  expect(await auth.metrics.text()).toMatch(/^latchkey_account_exports_total 2$/m)
})

test('that an operator did something is told, but not who and where', async () => {
  const { request, createUserWithToken, administration, findUser } = await startAuth()
  const token = await createUserWithToken('ada')
  await administration.set(await findUser('ada'), { names: { first_name: 'Ada' } })
  const reply = await request.get('account/export/', { token })
  expect((reply.body as Export).history).toEqual([
    expect.objectContaining({ details: { by: 'operator', fields: 'first_name' } }),
  ])
  expect(JSON.stringify(reply.body)).not.toMatch(/grace|console/)
})

test('long lists are cut, and the answer says which', async () => {
  const { request, createUserWithToken, findUser, db, clock } = await startAuth()
  const token = await createUserWithToken('ada')
  const { id } = await findUser('ada')
  const row = { user_id: id, event: 'password_changed', details: '{}' }
  const now = clock.now()
  const rows = Array.from({ length: 1200 }, (_, n) => ({ ...row, at: now + n }))
  await db.insertInto('audit_events').values(rows.slice(0, 600)).execute()
  await db.insertInto('audit_events').values(rows.slice(600)).execute()
  const known = (await request.get('account/export/', { token })).body as Export
  expect(known.cut).toEqual(['history'])
  expect(known.history).toHaveLength(1000)
  expect(known.history[0]).toMatchObject({ at: new Date(now + 1199).toISOString() })
})

test('it tells what was stored while a setting was on', async () => {
  const on = { API_KEYS: true, ACCOUNT: { SIGNUP: 'invited' }, INVITATIONS_BY_USERS: true } as const
  const before = await startAuth(on, { shared: true })
  const token = await before.createUserWithToken('ada')
  await before.request.post('tokens/', { name: 'deploy', scopes: ['user:read'] }, { token })
  await before.request.post('invitations/', { email: 'bob@example.com' }, { token })
  const { request } = await startAuth({}, { beside: before })
  expect((await request.get('account/export/', { token })).body).toMatchObject({
    api_keys: [{ name: 'deploy' }],
    invitations: [{ email: 'bob@example.com' }],
  })
})

test('an account that is deleted meanwhile is not exported, and leaves nothing', async () => {
  const { createUser, administration, auth, db } = await startAuth()
  const ada = await createUser({ username: 'ada' })
  await administration.remove(ada)
  await expect(auth.services.dossier.of(ada, null)).rejects.toMatchObject({ status: 401 })
  const kept = db.selectFrom('audit_events').select('event').where('user_id', '=', ada.id)
  expect(await kept.execute()).toEqual([{ event: 'user_deleted' }])
})
