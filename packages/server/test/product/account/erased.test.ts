import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { digest } from '../../../src/crypto/digests.ts'
import { HOUR } from '../../../src/kernel/clock.ts'
import { requestReset } from '../../support/accounts.ts'
import { dump, tablesOfUsers } from '../../support/dump.ts'
import { deliver, hooksFor } from '../../support/events.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { bearer, type Pair, ROTATING } from '../../support/jwt.ts'
import { activate, challengeOf, codeOf, offerOf, verify, wrongCode } from '../../support/mfa.ts'
import { beginLogin, beginRegistration, registered } from '../../support/passkeys.ts'
import { PASSWORD, type StartedAuth, startAuth } from '../../support/start-auth.ts'

/** Found nowhere else, not even in a random text. */
const ADA = { username: 'lovelace-1815', email: 'lovelace-1815@example.com' }
const ON = { ACCOUNT: { DELETION: true } }
/** A spent refresh token has its successor, which is the user's. */
const GRACE = { REFRESH_REUSE_GRACE: 10 }

/** A user with something in every table that can hold something of a user. */
async function startFilled() {
  const idp = await startHostileProvider()
  const throttled = { REST_FRAMEWORK: { DEFAULT_THROTTLE_RATES: { auth_service: '1000/m' } } }
  const settings = {
    ...idp.settings(),
    ...throttled,
    ACCOUNT: { DELETION: true, NEW_DEVICE_MAIL: true, LOGIN_BY_CODE_ENABLED: true },
    USER_FIELDS: { phone: { type: 'string', unique: true, editable: true } },
  } as const
  const auth = await startAuth(settings, { shared: true, hooks: hooksFor(() => {}) })
  const jwt = await startAuth(
    { ...settings, REST_AUTH: { USE_JWT: true }, SIMPLE_JWT: { ...ROTATING, ...GRACE } },
    { beside: auth },
  )
  const { request, clock } = auth
  const { token, id } = await register(auth)
  await request.patch('user/', { username: ADA.username, phone: '+44 1815' }, { token })
  await request.post('idp/connect/', { id_token: await idp.idToken(clock) }, { token })
  await registered(request, token)
  await beginRegistration(request, token)
  await beginLogin(request, ADA)
  await offerOf(auth, { token })
  await requestReset(auth, ADA.email)
  await request.post('login/code/', { email: ADA.email })
  await logInByJwt(jwt)
  const { secret, codes } = await activate(auth, token)
  await verify(auth, await challengeOf(auth, ADA.username), codes[0])
  await offerOf(auth, { token })
  await request.post('login/', { username: ADA.username, password: 'wrong' })
  await verify(auth, await challengeOf(auth, ADA.username), wrongCode(auth, secret))
  await comeFromDjango(auth, id)
  await lendTo(auth, id)
  await makeKey(auth, id)
  await inviteBy(auth, id)
  await openAdminPages(auth, id)
  return { auth, token, secret, id }
}

/** As if the user were an operator. */
async function openAdminPages({ db }: StartedAuth, id: number): Promise<void> {
  const times = { created_at: 0, last_used_at: 0, proved_at: 0, expires_at: 0 }
  const session = { digest: 'of a cookie', user_id: id, epoch: 0, ...times }
  await db.insertInto('admin_sessions').values(session).execute()
}

/** A key for a program. */
async function makeKey({ db }: StartedAuth, id: number): Promise<void> {
  const key = { user_id: id, name: 'backup', digest: 'd', scopes: '[]', created_at: 0 }
  await db.insertInto('api_keys').values(key).execute()
}

/** One that the user has sent, and one that an operator had sent to the user. */
async function inviteBy({ db }: StartedAuth, id: number): Promise<void> {
  const rest = { group_names: '[]', fields: '{}', created_at: 0, expires_at: 0 }
  const sent = { ...rest, digest: 'sent', user_id: id, email_key: 'bob@example.com' }
  const received = { ...rest, digest: 'received', user_id: 0, email_key: ADA.email }
  await db.insertInto('invitations').values([sent, received]).execute()
}

/** As if an operator used the account. */
async function lendTo({ db, createUser }: StartedAuth, id: number): Promise<void> {
  const operator = await createUser({ username: 'grace' })
  const { id: login_id } = await db
    .selectFrom('logins')
    .select('id')
    .where('user_id', '=', id)
    .limit(1)
    .executeTakeFirstOrThrow()
  const lent = { login_id, user_id: id, operator_id: operator.id, operator_epoch: 0 }
  const until = { expires_at: 0, link_digest: null, link_until: 0, operator_revoked_at: null }
  await db
    .insertInto('impersonations')
    .values({ ...lent, ...until, address: null, reason: 'a ticket' })
    .execute()
}

/** As if an import had brought the user over. */
async function comeFromDjango({ db }: StartedAuth, id: number): Promise<void> {
  const { username, email } = ADA
  const there = { source_key: '7', user_id: id, email, address: email, parts: '{}' }
  await db.insertInto('django_users').values(there).execute()
  const address = { id: 1, user_id: id, email, email_key: email, verified: 1 as const }
  await db.insertInto('django_addresses').values(address).execute()
  const finding = { source_key: '7', part: 'username', what: 'username', pk: '7' }
  await db
    .insertInto('django_findings')
    .values({ ...finding, why: `${username} is taken`, kind: 'lost' })
    .execute()
}

/** Registers, and leaves the verification mail and its key behind. */
async function register({ request, findUser, db }: StartedAuth) {
  const form = { ...ADA, password1: PASSWORD, password2: PASSWORD }
  const { body } = await request.post('registration/', form)
  const user = await findUser(ADA.username)
  await db.updateTable('users').set({ email_verified: 1 }).where('id', '=', user.id).execute()
  return { token: (body as { key: string }).key, id: user.id }
}

/** A login with a pair that was refreshed once. */
async function logInByJwt({ request }: StartedAuth): Promise<void> {
  const { body } = await request.post('login/', { username: ADA.username, password: PASSWORD })
  const { access, refresh } = body as Pair
  expect((await request.get('user/', bearer(access))).status).toBe(200)
  expect((await request.post('token/refresh/', { refresh })).status).toBe(200)
}

async function rowsOf({ db }: StartedAuth, table: string, id: number): Promise<number> {
  const { rows } = await sql`select 1 from ${sql.table(table)} where user_id = ${id}`.execute(db)
  return rows.length
}

const countedAs = (id: number): string => digest(`user:${id}`)

/** What hooks were promised is still told, and then gone. */
const OWED = ['events', 'event_lines']

test('nothing of a user is left in any table but the event of the deletion', async () => {
  const { auth, token, id, secret } = await startFilled()
  const tables = await tablesOfUsers(auth.db)
  for (const table of tables) {
    expect(await rowsOf(auth, table, id), `${table} before`).toBeGreaterThan(0)
  }
  expect((await dump(auth.db)).join()).toContain(countedAs(id))

  const body = { password: PASSWORD, code: codeOf(auth, secret) }
  expect((await auth.request.post('account/delete/', body, { token })).status).toBe(200)
  const erased = tables.filter((name) => name !== 'audit_events' && !OWED.includes(name))
  for (const table of erased) expect(await rowsOf(auth, table, id), table).toBe(0)
  const left = (await dump(auth.db)).join('\n')
  expect(left).not.toContain(ADA.username)
  expect(left).not.toContain('ada-elsewhere')
  expect(left).not.toContain('+44 1815')
  expect(left).not.toContain(countedAs(id))
  const events = await auth.db.selectFrom('audit_events').selectAll().execute()
  expect(events).toEqual([
    expect.objectContaining({ user_id: id, event: 'user_deleted', details: '{"by":"user"}' }),
  ])
  await deliver(auth)
  for (const table of OWED) expect(await rowsOf(auth, table, id), table).toBe(0)
})

test('a spent refresh token without a successor stays until its time, and names nobody', async () => {
  const auth = await startAuth({ ...ON, REST_AUTH: { USE_JWT: true }, SIMPLE_JWT: ROTATING })
  const { id } = await auth.createUser({ username: ADA.username })
  await logInByJwt(auth)
  const spent = () => auth.db.selectFrom('spent_refresh_tokens').selectAll().execute()
  const [row] = await spent()
  expect(row).toMatchObject({ user_id: null, sealed_successor: null })
  await auth.administration.remove(await auth.findUser(ADA.username))
  expect(await rowsOf(auth, 'logins', id)).toBe(0)
  expect(await spent()).toEqual([row])
  auth.clock.advance(3 * 24 * HOUR)
  await auth.auth.sweep()
  expect(await spent()).toEqual([])
})

test('what an address was counted by is over with its window', async () => {
  const { auth, token, secret } = await startFilled()
  const body = { password: PASSWORD, code: codeOf(auth, secret) }
  await auth.request.post('account/delete/', body, { token })
  auth.clock.advance(HOUR)
  await auth.auth.sweep()
  const limits = await auth.db.selectFrom('limits').select('key').execute()
  expect(limits.filter(({ key }) => key.endsWith(digest(ADA.email)))).toEqual([])
})

test('what others have is left alone', async () => {
  const auth = await startAuth(ON)
  const token = await auth.createUserWithToken('ada')
  const other = await auth.createUserWithToken('grace')
  await requestReset(auth, 'grace@example.com')
  const before = await auth.db.selectFrom('users').selectAll().where('id', '=', 2).execute()
  await auth.request.post('account/delete/', { password: PASSWORD }, { token })
  expect((await auth.request.get('user/', { token: other })).status).toBe(200)
  expect(await auth.db.selectFrom('users').selectAll().execute()).toEqual(before)
  expect(await auth.mail.templates()).toEqual(['reset-password', 'account-deleted'])
})

test('mails that wait are gone, but for the last one, which says so', async () => {
  const auth = await startAuth(ON)
  const token = await auth.createUserWithToken('ada')
  await requestReset(auth, 'ada@example.com')
  await auth.request.post('account/delete/', { password: PASSWORD }, { token })
  expect(await auth.mail.letters()).toEqual([
    { to: 'ada@example.com', template: 'account-deleted', values: { username: 'ada' } },
  ])
})

test('the last mail to an unproved address has no word that the user chose', async () => {
  const auth = await startAuth(ON)
  const token = await auth.createUserWithToken('buy-pills-now', { verified: false })
  await auth.request.post('account/delete/', { password: PASSWORD }, { token })
  expect(await auth.mail.of('account-deleted')).toMatchObject([{ values: { username: '' } }])
})

test('other notices cannot use up the last mail, and the last mail cannot flood', async () => {
  const auth = await startAuth({
    ACCOUNT: { DELETION: true, RATE_LIMITS: { notice_mail: '2/h/key' } },
  })
  for (let i = 0; i < 3; i++) {
    const token = await auth.createUserWithToken('ada')
    for (let n = 0; n < 2; n++) {
      const twice = { new_password1: PASSWORD, new_password2: PASSWORD }
      expect((await auth.request.post('password/change/', twice, { token })).status).toBe(200)
    }
    await auth.request.post('account/delete/', { password: PASSWORD }, { token })
  }
  expect(await auth.mail.templates()).toEqual(['account-deleted', 'account-deleted'])
})

test('an unproved address gets no more last mails than verification mails', async () => {
  const auth = await startAuth(ON)
  for (let i = 0; i < 4; i++) {
    const token = await auth.createUserWithToken('ada', { verified: false })
    await auth.request.post('account/delete/', { password: PASSWORD }, { token })
  }
  expect(await auth.mail.of('account-deleted')).toHaveLength(3)
})

test('a user without an address leaves without a mail', async () => {
  const auth = await startAuth(ON)
  await auth.createUser({ username: 'ada' })
  const { body } = await auth.request.post('login/', { username: 'ada', password: PASSWORD })
  const { key: token } = body as { key: string }
  expect(
    (await auth.request.post('account/delete/', { password: PASSWORD }, { token })).status,
  ).toBe(200)
  expect(await auth.mail.letters()).toEqual([])
})

test('an operator deletes in the same way', async () => {
  const { auth, id } = await startFilled()
  await auth.administration.remove(await auth.findUser(ADA.username))
  await deliver(auth)
  for (const table of await tablesOfUsers(auth.db)) {
    expect(await rowsOf(auth, table, id), table).toBe(table === 'audit_events' ? 1 : 0)
  }
  expect(await auth.mail.templates()).toEqual(['account-deleted'])
  expect((await dump(auth.db)).join('\n')).not.toContain(ADA.username)
})

test('deletions are counted, without a name', async () => {
  const auth = await startAuth(ON)
  const token = await auth.createUserWithToken('ada')
  await auth.request.post('account/delete/', { password: PASSWORD }, { token })
  expect(await auth.auth.metrics.text()).toMatch(/^latchkey_account_deletions_total 1$/m)
})
