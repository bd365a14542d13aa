import { expect, test } from 'vitest'
import { countRows } from '../support/dump.ts'
import { interruptedHasher } from '../support/hashers.ts'
import { startHostileProvider } from '../support/hostile-provider.ts'
import { identityOf } from '../support/identities.ts'
import { bearer, type Pair } from '../support/jwt.ts'
import { logIn, registered } from '../support/passkeys.ts'
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
  let changingEmail = async () => {}
  const auth = await startAuth(
    { REST_AUTH: { USE_JWT: true }, ...settings },
    { hasher, hooks: { changingEmail: () => changingEmail() } },
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
      changingEmail = run
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
