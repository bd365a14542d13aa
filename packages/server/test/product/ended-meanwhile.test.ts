import { expect, test } from 'vitest'
import { createReauthenticate } from '../../src/features/reauthentication/reauthenticate.ts'
import { ADA, changeKey, NEW as NEW_ADDRESS } from '../support/addresses.ts'
import { NOT_PROVIDED } from '../support/answers.ts'
import { UP } from '../support/authenticator.ts'
import { BY_CODE, codesIn } from '../support/codes.ts'
import { countRows } from '../support/dump.ts'
import { interruptedHasher } from '../support/hashers.ts'
import { startHostileProvider } from '../support/hostile-provider.ts'
import { identityOf } from '../support/identities.ts'
import { bearer, notValid, type Pair } from '../support/jwt.ts'
import { activate, codeOf, MFA_REQUIRED, verify } from '../support/mfa.ts'
import { beginLogin, logIn, registered } from '../support/passkeys.ts'
import { createDatabase, onPostgres, waitForWaiter } from '../support/postgres.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

/**
 * A thief has a login of Ada. She ends it while a request of the thief hashes a password, runs a hook
 * of the host, or waits for her row. The request must change nothing.
 */
const NEW = { new_password1: 'now it is mine alone', new_password2: 'now it is mine alone' }
const REFUSED = { status: 401, body: { detail: { code: 'not_authenticated' } } }

/** With two logins, of Ada and of the thief. */
async function startRobbed(settings = {}) {
  const { hasher, during } = interruptedHasher()
  let meanwhile = async () => {}
  const auth = await startAuth(
    { REST_AUTH: { USE_JWT: true }, ...settings },
    {
      hasher,
      hooks: { changingEmail: () => meanwhile() },
      usernameRules: async () => {
        await meanwhile()
        return []
      },
    },
  )
  const user = await auth.createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  const logIn = async () => {
    const reply = await auth.request.post('login/', { username: 'ada', password: PASSWORD })
    return bearer((reply.body as Pair).access)
  }
  const [thief, ada] = [await logIn(), await logIn()]
  const { id: loginId } = await auth.db
    .selectFrom('logins')
    .select('id')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const mustBeOut = async () => {
    expect((await auth.request.get('user/', thief)).status).toBe(401)
  }
  return {
    ...auth,
    thief,
    ada,
    identity: { ...identityOf(user), loginId },
    duringHash: during,
    duringHook(run: () => Promise<void>) {
      meanwhile = run
    },
    async endOthers() {
      expect((await auth.request.post('sessions/end-others/', {}, ada)).status).toBe(200)
      await mustBeOut()
    },
    async endOne() {
      expect((await auth.request.delete(`sessions/${loginId}/`, ada)).status).toBe(204)
      await mustBeOut()
    },
  }
}

test.each([
  ['log-out everywhere', 'endOthers'],
  ['the end of one login', 'endOne'],
] as const)('%s: no password is changed', async (_, end) => {
  const started = await startRobbed()
  const { request, thief, findUser, mail } = started
  const { password } = await findUser('ada')
  started.duringHash(started[end])
  expect((await request.post('password/change/', NEW, thief)).status).toBe(401)
  expect((await findUser('ada')).password).toBe(password)
  expect(await mail.of('password-changed')).toEqual([])
})

test.runIf(onPostgres)(
  'no password is changed, whatever isolation the database has by default',
  async () => {
    const { name, url, operator, root } = await createDatabase()
    await root.query(`alter database ${name} set default_transaction_isolation = 'repeatable read'`)
    const { request, thief, identity, findUser } = await startRobbed({ DATABASE_URL: url })
    const { password } = await findUser('ada')
    await operator.query('begin')
    await operator.query('select from users for update')
    const change = request.post('password/change/', NEW, thief)
    await waitForWaiter(operator, change)
    await operator.query('delete from logins where id = $1', [identity.loginId])
    await operator.query('commit')
    expect((await change).status).toBe(401)
    expect((await findUser('ada')).password).toBe(password)
  },
)

test('a logout with the key that all logins share: no password is changed', async () => {
  const { hasher, during } = interruptedHasher()
  const { request, createUserWithToken, findUser } = await startAuth({}, { hasher })
  const token = await createUserWithToken('ada')
  const { password } = await findUser('ada')
  during(async () => {
    expect((await request.post('logout/', {}, { token })).status).toBe(200)
  })
  expect((await request.post('password/change/', NEW, { token })).status).toBe(401)
  expect((await findUser('ada')).password).toBe(password)
})

test('no address is asked for', async () => {
  const { request, thief, duringHook, endOthers, mail, db } = await startRobbed()
  duringHook(endOthers)
  const wish = { email: 'thief@example.com', password: PASSWORD }
  expect((await request.post('email/change/', wish, thief)).status).toBe(401)
  expect(await mail.of('change-email')).toEqual([])
  expect(await countRows(db, 'email_keys')).toBe(0)
})

test('no name is changed', async () => {
  const { request, thief, duringHook, endOne, findUser } = await startRobbed()
  duringHook(endOne)
  const change = { username: 'mine', first_name: 'Mine' }
  expect(await request.patch('user/', change, thief)).toMatchReply(401, NOT_PROVIDED)
  expect(await findUser('ada')).toMatchObject({ first_name: '' })
})

test.each([false, true])('no token is refreshed, with rotation: %s', async (rotates) => {
  let meanwhile = async () => {}
  const { request, createUser, administration } = await startAuth(
    { REST_AUTH: { USE_JWT: true }, SIMPLE_JWT: { ROTATE_REFRESH_TOKENS: rotates } },
    { hooks: { claims: () => meanwhile().then(() => ({})) } },
  )
  const ada = await createUser({ username: 'ada' })
  const reply = await request.post('login/', { username: 'ada', password: PASSWORD })
  const { refresh } = reply.body as Pair
  meanwhile = () => administration.revoke(ada)
  const BLACKLISTED = notValid('Token is blacklisted')
  expect(await request.post('token/refresh/', { refresh })).toMatchReply(...BLACKLISTED)
})

test('no account is deleted', async () => {
  const started = await startRobbed({ ACCOUNT: { DELETION: true } })
  const { request, thief, ada } = started
  started.duringHash(started.endOthers)
  expect((await request.post('account/delete/', { password: PASSWORD }, thief)).status).toBe(401)
  expect((await request.get('user/', ada)).status).toBe(200)
})

test('an operator ends everything: no API key is made', async () => {
  const { auth, administration, identity, db } = await startRobbed({ API_KEYS: true })
  await administration.revoke(identity.user)
  const key = { name: 'mine', scopes: ['user:read'], expiresAt: null }
  await expect(auth.services.apiKeys.create(identity, key)).rejects.toMatchObject(REFUSED)
  expect(await countRows(db, 'api_keys')).toBe(0)
})

test('neither a factor nor a way in is removed', async () => {
  const { auth, identity, endOne } = await startRobbed()
  await endOne()
  const { passkeys, social, mfa } = auth.services
  for (const removal of [
    () => passkeys.remove(identity, 1),
    () => social.disconnect(identity, 1),
    () => mfa.deactivate(identity, '123456', '127.0.0.1'),
  ]) {
    await expect(removal()).rejects.toMatchObject(REFUSED)
  }
})

/** With a hook that runs when a login is about to complete. */
async function startWithHook(settings = {}) {
  let signingIn = async () => {}
  const auth = await startAuth(settings, { hooks: { signingIn: () => signingIn() } })
  const token = await auth.createUserWithToken('ada')
  const during = (run: () => Promise<void>) => {
    signingIn = run
  }
  return { ...auth, token, during }
}

const OUT = { non_field_errors: ['Unable to log in with provided credentials.'] }

test('a passkey that is removed while it logs in does not log in', async () => {
  const { request, token, during, db } = await startWithHook()
  const stolen = await registered(request, token)
  const { body } = await request.get('passkeys/', { token })
  const [{ id }] = body as [{ id: number }]
  const logins = await countRows(db, 'logins')
  during(async () => {
    expect((await request.delete(`passkeys/${id}/`, { token })).status).toBe(204)
  })
  const reply = await logIn(request, stolen)
  expect(reply).toMatchReply(400, OUT)
  expect(reply.cookies).toEqual([])
  expect(await countRows(db, 'logins')).toBe(logins)
})

test('a social account that is disconnected while it logs in does not log in', async () => {
  const idp = await startHostileProvider()
  const { request, token, during, clock, db } = await startWithHook(idp.settings())
  const proof = async () => ({ id_token: await idp.idToken(clock) })
  const { body } = await request.post('idp/connect/', await proof(), { token })
  const { id } = body as { id: number }
  const logins = await countRows(db, 'logins')
  during(async () => {
    const path = `socialaccounts/${id}/disconnect/`
    expect((await request.post(path, {}, { token })).status).toBe(200)
  })
  expect(await request.post('idp/', await proof())).toMatchReply(400, OUT)
  expect(await countRows(db, 'logins')).toBe(logins)
})

test('a passkey that is removed between the two steps of a login does not log in', async () => {
  const started = await startWithHook()
  const { request, token, during, db } = started
  const stolen = await registered(request, token)
  const { secret } = await activate(started, token)
  const first = await logIn(request, stolen, { lies: { flags: UP } })
  expect(first).toMatchReply(200, MFA_REQUIRED)
  const { ephemeral_token } = first.body as { ephemeral_token: string }
  const [{ id }] = (await request.get('passkeys/', { token })).body as [{ id: number }]
  const logins = await countRows(db, 'logins')
  during(async () => {
    expect((await request.delete(`passkeys/${id}/`, { token })).status).toBe(204)
  })
  const reply = await verify(started, ephemeral_token, codeOf(started, secret))
  expect(reply).toMatchReply(400, OUT)
  expect(reply.cookies).toEqual([])
  expect(await countRows(db, 'logins')).toBe(logins)
})

test('a way in that is removed, or a password that changes, before the second step begins opens no challenge', async () => {
  const started = await startWithHook()
  const { auth, token, findUser, db } = started
  await activate(started, token)
  const visitor = {
    turn: { client: '127.0.0.1' },
    device: { address: '127.0.0.1', userAgent: '' },
    sessionId: undefined,
  }
  const proof = { method: 'passkey', isStrong: false, visitor } as const
  const late = { ...proof, stillTheirs: async () => false }
  const user = await findUser('ada')
  const former = { ...user, epoch: user.epoch - 1 }
  const { completeLogin } = auth.services.gate
  const refused = { message: 'wrong_credentials' }
  await expect(completeLogin(user, late)).rejects.toMatchObject(refused)
  await expect(completeLogin(former, proof)).rejects.toMatchObject(refused)
  expect(await countRows(db, 'mfa_challenges')).toBe(0)
})

test('a code does not log in if the address changes meanwhile', async () => {
  const started = await startWithHook({ ACCOUNT: BY_CODE })
  const { request, token, during, db } = started
  const { begin, confirm } = codesIn(started)
  const typed = await begin(ADA)
  const logins = await countRows(db, 'logins')
  during(async () => {
    await request.post('email/change/', { email: NEW_ADDRESS, password: PASSWORD }, { token })
    const key = await changeKey(started)
    expect((await request.post('email/change/confirm/', { key })).status).toBe(200)
  })
  const reply = await confirm(typed)
  expect(reply).toMatchReply(400, OUT)
  expect(reply.cookies).toEqual([])
  expect(await countRows(db, 'logins')).toBe(logins)
})

test('a passkey that is removed while it proves something makes nothing fresh', async () => {
  const { auth, request, createUserWithToken, clock, db } = await startAuth()
  const token = await createUserWithToken('ada')
  const own = await registered(request, token)
  const identity = await auth.services.tokens.identify(token)
  const { passkeys } = auth.services
  clock.advance(1000)
  const reauthenticate = createReauthenticate({
    ...auth.services,
    passkeys: {
      ...passkeys,
      async completeLogin(...given) {
        const proved = await passkeys.completeLogin(...given)
        await db.deleteFrom('passkeys').execute()
        return proved
      },
    },
  })
  const options = await beginLogin(request)
  const given = { credential: own.get(options), sessionId: options.session_id ?? '' }
  const proving = reauthenticate(identity, given, { client: '127.0.0.1' })
  await expect(proving).rejects.toMatchObject({ status: 400 })
  const { authenticatedAt } = await auth.services.tokens.identify(token)
  expect(authenticatedAt).toBe(identity.authenticatedAt)
})
