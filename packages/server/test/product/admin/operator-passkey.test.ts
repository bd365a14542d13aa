import { expect, test } from 'vitest'
import { requestReset, STRONG, twice } from '../../support/accounts.ts'
import {
  ADMIN_MODULES,
  passwordOf,
  sent,
  setFlags,
  setUpApp,
  startAdmin,
} from '../../support/admin.ts'
import { AT, type CreationOptions, createAuthenticator, UP } from '../../support/authenticator.ts'
import type { CallOptions, Client, Reply } from '../../support/client.ts'
import { codesIn } from '../../support/codes.ts'
import { bearer } from '../../support/jwt.ts'
import { codeOf } from '../../support/mfa.ts'
import { beginLogin, logIn, register, registered } from '../../support/passkeys.ts'
import { type StartedAuth, startAuth } from '../../support/start-auth.ts'

const REFUSED = { detail: 'Log in with your passkey.', code: 'passkey_required' }

/** Somebody at the public API, and what they send with a request. */
type Caller = { client: Client; options: () => CallOptions }

type Credential = (client: Client, reply: Reply) => CallOptions
const byKey: Credential = (_, { body }) => ({ token: (body as { key: string }).key })
const byJwt: Credential = (_, { body }) => bearer((body as { access: string }).access)
const byCookie: Credential = (client) => client.csrf()

const PER_LOGIN = { TOKEN_CREATOR: 'per_login', SESSION_LOGIN: false } as const
const modes: [string, object, Credential][] = [
  ['a session', {}, byCookie],
  ['a JWT', { USE_JWT: true }, byJwt],
  ['a key of one login', PER_LOGIN, byKey],
]

/** What somebody does to factors at the public API. */
const acts = ({ client, options }: Caller) => ({
  beginApp: () => client.get('mfa/totp/activate/', options()),
  activate: (body: object) => client.post('mfa/totp/activate/', body, options()),
  begin: () => client.post('passkeys/register/begin/', {}, options()),
  complete: (credential: object) =>
    client.post('passkeys/register/complete/', { credential }, options()),
  remove: (id: number) => client.delete(`passkeys/${id}/`, options()),
})

const statusesOf = (replies: readonly Reply[]) => replies.map(({ status }) => status)

/** Grace has a passkey, and a password login that has begun to add an app and another passkey. */
async function startGuarded(auth: StartedAuth, credential: Credential, flags = { staff: true }) {
  const user = await auth.createUser({
    username: 'grace',
    email: 'grace@example.com',
    verified: true,
  })
  await setFlags(auth, user, flags)
  const passkey = createAuthenticator()

  const byPassword = async (): Promise<Caller> => {
    const client = auth.newBrowser()
    const reply = await client.post('login/', passwordOf('grace'))
    return { client, options: () => credential(client, reply) }
  }
  const byPasskey = async (): Promise<Caller> => {
    const client = auth.newBrowser()
    const reply = await logIn(client, passkey)
    expect(reply.status).toBe(200)
    return { client, options: () => credential(client, reply) }
  }

  const thief = acts(await byPassword())
  const options = (await thief.begin()).body as CreationOptions
  // It counts as a second factor from below on.
  const made = await thief.complete(passkey.create(options, { flags: UP | AT }))
  const { id } = made.body as { id: number }
  const offer = (await thief.beginApp()).body as { secret: string; activation_token: string }
  const next = createAuthenticator().create((await thief.begin()).body as CreationOptions)
  await auth.db.updateTable('passkeys').set({ user_verified: 1 }).execute()

  const { secret, activation_token } = offer
  const attempts = async () => [
    await thief.beginApp(),
    await thief.complete(next),
    await thief.begin(),
    await thief.remove(id),
    await thief.activate({ activation_token, code: codeOf(auth, secret) }),
  ]
  const factors = async () => ({
    passkeys: (await auth.db.selectFrom('passkeys').select('id').execute()).map((row) => row.id),
    apps: await auth.db.selectFrom('totp_authenticators').select('user_id').execute(),
  })
  return { user, id, passkey, attempts, factors, byPassword, byPasskey }
}

test.each(modes)(
  'with the password alone, %s changes no factor beside a passkey',
  async (_, REST_AUTH, credential) => {
    const started = await startAdmin({ REST_AUTH })
    const { id, attempts, factors, byPasskey } = await startGuarded(started, credential)
    for (const reply of await attempts()) expect(reply).toMatchReply(403, REFUSED)
    expect(await factors()).toEqual({ passkeys: [id], apps: [] })

    // The passkey itself may do all of it.
    const owner = acts(await byPasskey())
    const options = (await owner.begin()).body as CreationOptions
    const added = await owner.complete(createAuthenticator().create(options))
    expect(added.status).toBe(201)
    expect((await owner.remove((added.body as { id: number }).id)).status).toBe(204)
    const { body } = await owner.beginApp()
    const { secret, activation_token } = body as { secret: string; activation_token: string }
    const code = codeOf(started, secret)
    expect((await owner.activate({ activation_token, code })).status).toBe(200)
    expect((await factors()).apps).toHaveLength(1)
  },
)

test('a key that all logins share counts as a password, whatever the last login was', async () => {
  const started = await startAdmin({ REST_AUTH: { SESSION_LOGIN: false } })
  const { id, attempts, factors, byPasskey } = await startGuarded(started, byKey)
  const owner = acts(await byPasskey())
  expect(await owner.begin()).toMatchReply(403, REFUSED)
  for (const reply of await attempts()) expect(reply).toMatchReply(403, REFUSED)
  expect(await factors()).toEqual({ passkeys: [id], apps: [] })
})

test('a passkey login that did not verify the user is not enough', async () => {
  const started = await startAdmin()
  const { passkey } = await startGuarded(started, byCookie)
  const client = started.newBrowser()
  const options = await beginLogin(client)
  const credential = passkey.get(options, { flags: UP })
  const { session_id } = options
  const login = await client.post('passkeys/login/complete/', { credential, session_id })
  expect(login.status).toBe(200)
  const { begin } = acts({ client, options: () => client.csrf() })
  expect(await begin()).toMatchReply(403, REFUSED)
})

test('users with an app are asked for its code at the login, and for nothing more', async () => {
  const started = await startAdmin()
  const { user, byPassword } = await startGuarded(started, byCookie)
  const caller = await byPassword()
  const row = { user_id: user.id, sealed_secret: 'x', last_step: 0, created_at: 0 }
  await started.db
    .insertInto('totp_authenticators')
    .values({ ...row, last_used_at: null })
    .execute()
  expect((await acts(caller).begin()).status).toBe(200)
})

const DONE = [200, 201, 200, 204, 200]

test('nothing changes for ordinary users, nor where there is no admin', async () => {
  const ordinary = await startGuarded(await startAdmin(), byCookie, { staff: false })
  expect(statusesOf(await ordinary.attempts())).toEqual(DONE)
  const MODULES = ADMIN_MODULES.filter((name) => name !== 'admin')
  const elsewhere = await startGuarded(await startAuth({ MODULES }), byCookie)
  expect(statusesOf(await elsewhere.attempts())).toEqual(DONE)
})

test('a set-up session of the admin is worth nothing once there is a passkey', async () => {
  const started = await startAdmin()
  await started.createOperator('grace')
  const [thief, owner] = [started.newVisitor(), started.newVisitor()]
  for (const one of [thief, owner]) await one.post('login/', passwordOf('grace'), sent(one))
  const { body } = await thief.get('mfa/totp/activate/')
  const { secret, activation_token } = body as { secret: string; activation_token: string }
  const begun = await owner.post('passkeys/register/begin/', {}, sent(owner))
  const passkey = createAuthenticator({ origin: started.admin.settings.PUBLIC_URL })
  const credential = passkey.create(begun.body as CreationOptions)
  const made = await owner.post('passkeys/register/complete/', { credential }, sent(owner))
  expect(made.status).toBe(201)

  const code = codeOf(started, secret)
  const late = await thief.post('mfa/totp/activate/', { activation_token, code }, sent(thief))
  expect(late).toMatchReply(403, REFUSED)
  const next = await thief.post('passkeys/register/begin/', {}, sent(thief))
  expect(next).toMatchReply(403, REFUSED)
  expect(await thief.get('session/')).toMatchObject({ body: { mfa_setup_required: true } })
  // The owner's session is complete, and goes on.
  expect((await owner.get('mfa/totp/activate/')).status).toBe(200)
})

const LAX = { ACCOUNT: { EMAIL_VERIFICATION: 'none', LOGIN_BY_CODE_ENABLED: true } } as const
const GRACE = 'grace@example.com'

/** A user who adds a passkey before their address is proved. */
async function startUnproved() {
  const started = await startAdmin(LAX)
  const { request } = started
  const user = await started.createUser({ username: 'grace', email: GRACE })
  const { key: token } = (await request.post('login/', passwordOf('grace'))).body as { key: string }
  const passkey = await registered(request, token)
  const proofs = {
    async reset() {
      const link = await requestReset(started, GRACE)
      return request.post('password/reset/confirm/', { ...link, ...twice(STRONG) })
    },
    async code() {
      const codes = codesIn(started)
      return codes.confirm(await codes.begin(GRACE))
    },
  }
  const prove = async (by: keyof typeof proofs) => expect((await proofs[by]()).status).toBe(200)
  return { ...started, user, token, passkey, prove }
}

test.each(['reset', 'code'] as const)(
  'a proof of the address by %s leaves an operator the passkey that is the only factor',
  async (by) => {
    const started = await startUnproved()
    await setFlags(started, started.user, { superuser: true })
    // It does not verify the user, so it locks nothing.
    await started.db.updateTable('passkeys').set({ user_verified: 0 }).execute()
    await registered(started.request, started.token)
    await started.prove(by)
    const left = await started.db.selectFrom('passkeys').select('user_verified').execute()
    expect(left).toEqual([{ user_verified: 1 }])

    const thief = started.newVisitor()
    await started.administration.setPassword(started.user, STRONG)
    const login = await thief.post('login/', { username: 'grace', password: STRONG }, sent(thief))
    expect(login).toMatchReply(403, REFUSED)
  },
)

test('it goes if there is another factor, or the user is no operator', async () => {
  const ordinary = await startUnproved()
  await ordinary.prove('reset')
  expect((await logIn(ordinary.request, ordinary.passkey)).status).toBe(400)

  const withOther = await startUnproved()
  const { db, request, token, passkey } = withOther
  const other = await registered(request, token)
  await db
    .updateTable('passkeys')
    .set({ added_unproved: 0 })
    .where('credential_id', '=', other.id)
    .execute()
  await setFlags(withOther, withOther.user, { superuser: true })
  await withOther.prove('reset')
  expect((await logIn(request, passkey)).status).toBe(400)
  expect((await logIn(request, other)).status).toBe(200)
})

/** Grace has two passkeys, one of which verifies her. Root helps. */
async function startLost() {
  const started = await startAdmin()
  await started.createOperator('root')
  const grace = await started.createOperator('grace', { staff: true })
  const { key: token } = (await started.request.post('login/', passwordOf('grace'))).body as {
    key: string
  }
  await register(started.request, token, createAuthenticator(), { flags: UP | AT })
  await registered(started.request, token)
  return { ...started, grace, token }
}

test('an operator who has lost the only passkey sets up a factor again after a reset', async () => {
  const started = await startLost()
  const { browser } = await setUpApp(started, 'root')
  const reply = await browser.post(`users/${started.grace.id}/reset-mfa/`, {}, sent(browser))
  expect(reply.status).toBe(200)
  const left = await started.db.selectFrom('passkeys').select('user_verified').execute()
  expect(left).toEqual([{ user_verified: 0 }])
  expect((await started.request.get('user/', { token: started.token })).status).toBe(401)
  expect(await started.mail.templates()).toContain('passkey-removed')
  const [row] = await started.administration.history(started.grace.id)
  expect(row).toMatchObject({ event: 'passkey_removed', operator_name: 'root' })

  const own = started.newVisitor()
  const login = await own.post('login/', passwordOf('grace'), sent(own))
  expect(login).toMatchObject({ status: 200, body: { mfa_setup_required: true } })
})
