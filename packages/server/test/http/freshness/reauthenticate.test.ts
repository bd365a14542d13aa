import { expect, test } from 'vitest'
import { MINUTE } from '../../../src/kernel/clock.ts'
import { NOT_PROVIDED } from '../../support/answers.ts'
import { countRows } from '../../support/dump.ts'
import { STALE, STALE_AFTER } from '../../support/freshness.ts'
import { interruptedHasher } from '../../support/hashers.ts'
import { activate, codeOf, WRONG_CODE, wrongCode } from '../../support/mfa.ts'
import { modes, startMode } from '../../support/modes.ts'
import { beginLogin, registered } from '../../support/passkeys.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const OK = [200, { detail: 'ok' }] as const
const WRONG_PASSWORD = [400, { password: ['Invalid password.'] }] as const

const settings = {
  ACCOUNT: { REAUTHENTICATION_REQUIRED: true },
  SIMPLE_JWT: { ACCESS_TOKEN_LIFETIME: '1h' },
}

test.each(modes)('%s mode: a password makes the credential fresh, for a while', async (mode) => {
  const auth = await startMode(mode, settings)
  const caller = await auth.logIn()
  const change = () => caller.get('mfa/recovery-codes/')
  auth.clock.advance(STALE_AFTER)
  expect(await change()).toMatchReply(...STALE)
  expect(await caller.post('reauthenticate/', { password: 'wrong' })).toMatchReply(
    ...WRONG_PASSWORD,
  )
  expect(await change()).toMatchReply(...STALE)
  const rows = await countRows(auth.db, 'logins')
  const reply = await caller.post('reauthenticate/', { password: PASSWORD })
  expect(reply).toMatchReply(...OK)
  expect(reply.cookies).toEqual([])
  expect(await countRows(auth.db, 'logins')).toBe(rows)
  auth.clock.advance(STALE_AFTER - 1)
  expect((await change()).status).toBe(200)
  auth.clock.advance(1)
  expect(await change()).toMatchReply(...STALE)
})

test.each(modes.filter((mode) => mode !== 'token'))(
  '%s mode: only the login that asked is fresh',
  async (mode) => {
    const auth = await startMode(mode, settings)
    const [one, other] = [await auth.logIn(), await auth.logIn()]
    auth.clock.advance(STALE_AFTER)
    expect(await one.post('reauthenticate/', { password: PASSWORD })).toMatchReply(...OK)
    expect((await one.get('mfa/recovery-codes/')).status).toBe(200)
    expect(await other.get('mfa/recovery-codes/')).toMatchReply(...STALE)
  },
)

test('REAUTHENTICATION_TIMEOUT says for how long', async () => {
  const ACCOUNT = { REAUTHENTICATION_REQUIRED: true, REAUTHENTICATION_TIMEOUT: '1m' }
  const auth = await startMode('token', { ACCOUNT })
  const caller = await auth.logIn()
  auth.clock.advance(MINUTE - 1)
  expect((await caller.get('mfa/recovery-codes/')).status).toBe(200)
  auth.clock.advance(1)
  expect(await caller.get('mfa/recovery-codes/')).toMatchReply(...STALE)
})

async function withMfa() {
  const auth = await startAuth(settings)
  const token = await auth.createUserWithToken('ada')
  const made = await activate(auth, token)
  auth.clock.advance(STALE_AFTER)
  const prove = (body: object) => auth.request.post('reauthenticate/', body, { token })
  const isFresh = async () => {
    const { status } = await auth.request.get('mfa/recovery-codes/', { token })
    return status === 200
  }
  return { ...auth, ...made, auth, token, prove, isFresh }
}

test('a TOTP code will do, once', async () => {
  const { auth, secret, prove, isFresh, clock } = await withMfa()
  expect(await isFresh()).toBe(false)
  expect(await prove({ code: wrongCode(auth, secret) })).toMatchReply(400, WRONG_CODE)
  const code = codeOf(auth, secret)
  expect(await prove({ code })).toMatchReply(...OK)
  expect(await isFresh()).toBe(true)
  expect(await prove({ code })).toMatchReply(400, WRONG_CODE)
  clock.advance(STALE_AFTER)
  expect(await isFresh()).toBe(false)
})

test('a recovery code will do, and is spent', async () => {
  const { codes, prove, isFresh } = await withMfa()
  const [code] = codes
  expect(await prove({ code })).toMatchReply(...OK)
  expect(await isFresh()).toBe(true)
  expect(await prove({ code })).toMatchReply(400, WRONG_CODE)
})

test('wrong codes count as those of a login', async () => {
  const { auth, secret, prove } = await withMfa()
  for (let tries = 0; tries < 10; tries++) {
    expect(await prove({ code: wrongCode(auth, secret) })).toMatchReply(400, WRONG_CODE)
  }
  expect(await prove({ code: codeOf(auth, secret) })).toBeThrottled(15 * 60)
  expect(await prove({ password: PASSWORD })).toMatchReply(...OK)
})

test('without MFA there is no code', async () => {
  const auth = await startMode('token')
  const reply = await (await auth.logIn()).post('reauthenticate/', { code: '123456' })
  expect(reply).toMatchReply(400, { detail: 'MFA is not enabled.' })
})

test('wrong passwords count as failed logins', async () => {
  const auth = await startMode('session', settings)
  const caller = await auth.logIn()
  for (let tries = 0; tries < 10; tries++) {
    const reply = await caller.post('reauthenticate/', { password: `wrong ${tries}` })
    expect(reply).toMatchReply(...WRONG_PASSWORD)
  }
  expect(await caller.post('reauthenticate/', { password: PASSWORD })).toBeThrottled(5 * 60)
  const login = await auth.request.post('login/', { username: 'ada', password: PASSWORD })
  expect(login).toBeThrottled(5 * 60)
})

test('a passkey of the user will do, once; that of another will not', async () => {
  const auth = await startAuth(settings)
  const token = await auth.createUserWithToken('ada')
  const own = await registered(auth.request, token)
  const foreign = await registered(auth.request, await auth.createUserWithToken('bob'))
  auth.clock.advance(STALE_AFTER)
  const FAILED = { non_field_errors: ['Authentication verification failed.'] }
  const EXPIRED = {
    non_field_errors: ['Authentication challenge has expired. Please start over.'],
  }
  const isFresh = async () =>
    (await auth.request.get('mfa/recovery-codes/', { token })).status === 200
  const answer = async (authenticator: typeof own) => {
    const options = await beginLogin(auth.request)
    return { credential: authenticator.get(options), session_id: options.session_id }
  }
  const prove = (body: object) => auth.request.post('reauthenticate/', body, { token })

  expect(await prove(await answer(foreign))).toMatchReply(400, FAILED)
  expect(await isFresh()).toBe(false)
  const { session_id } = await answer(own)
  const MALFORMED = { non_field_errors: ['Invalid credential format.'] }
  expect(await prove({ credential: {}, session_id })).toMatchReply(400, MALFORMED)
  const body = await answer(own)
  expect(await prove(body)).toMatchReply(...OK)
  expect(await isFresh()).toBe(true)
  expect(await prove(body)).toMatchReply(400, EXPIRED)
})

test.each([
  [{}, { non_field_errors: ['Must include "password", "code" or "credential".'] }],
  [
    { session_id: 'a'.repeat(32) },
    expect.objectContaining({ non_field_errors: [expect.any(String)] }),
  ],
  [{ credential: {} }, { session_id: ['This field is required.'] }],
  [
    { credential: {}, session_id: 'x' },
    { session_id: ['This value does not match the required pattern.'] },
  ],
  [{ password: '' }, { password: ['This field may not be blank.'] }],
  [{ password: null }, { password: ['This field may not be null.'] }],
  [
    { password: 'x'.repeat(4097) },
    { password: ['Ensure this field has no more than 4096 characters.'] },
  ],
  [{ code: ['1'] }, { code: ['Not a valid string.'] }],
])('%o is refused', async (body, refusal) => {
  const auth = await startMode('token')
  expect(await (await auth.logIn()).post('reauthenticate/', body)).toMatchReply(400, refusal)
})

test('nobody can prove anything without a login', async () => {
  const { request } = await startAuth()
  const reply = await request.post('reauthenticate/', { password: PASSWORD })
  expect(reply).toMatchReply(401, NOT_PROVIDED)
})

test('a user without a password has none to prove', async () => {
  const auth = await startAuth()
  const token = await auth.createUserWithToken('ada')
  await auth.db.updateTable('users').set({ password: '!' }).execute()
  const reply = await auth.request.post('reauthenticate/', { password: '!' }, { token })
  expect(reply).toMatchReply(...WRONG_PASSWORD)
})

test('each success is in the history, without an address', async () => {
  const auth = await startMode('session')
  const caller = await auth.logIn()
  await caller.post('reauthenticate/', { password: PASSWORD })
  const { id } = await auth.findUser('ada')
  expect(await auth.administration.history(id)).toMatchObject([
    { event: 'reauthenticated', details: '{"by":"password"}' },
  ])
})

test('what cannot be written into the history makes nothing fresh', async () => {
  const { db, prove, isFresh } = await withMfa()
  await db.schema.alterTable('audit_events').renameTo('elsewhere').execute()
  try {
    expect((await prove({ password: PASSWORD })).status).toBe(500)
  } finally {
    await db.schema.alterTable('elsewhere').renameTo('audit_events').execute()
  }
  expect(await isFresh()).toBe(false)
})

test('a password that is replaced while it is checked makes nothing fresh', async () => {
  const { hasher, during } = interruptedHasher()
  const { request, createUserWithToken, clock } = await startAuth(settings, { hasher })
  const token = await createUserWithToken('ada')
  const NEW = { new_password1: 'another horse battery', new_password2: 'another horse battery' }
  expect((await request.get('mfa/recovery-codes/', { token })).status).toBe(200)
  during(async () => {
    expect((await request.post('password/change/', NEW, { token })).status).toBe(200)
    clock.advance(STALE_AFTER)
  })
  const reply = await request.post('reauthenticate/', { password: PASSWORD }, { token })
  expect(reply).toMatchReply(401, NOT_PROVIDED)
  expect(await request.get('mfa/recovery-codes/', { token })).toMatchReply(...STALE)
})
