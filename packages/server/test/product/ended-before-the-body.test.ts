import { expect, test } from 'vitest'
import { NEVER_HERE } from '../../src/core/identity.ts'
import { transaction } from '../../src/storage/transaction.ts'
import { ADMIN_ORIGIN, createOperatorKey, setUpApp, startAdmin } from '../support/admin.ts'
import { LOGGED_OUT, NOT_PROVIDED } from '../support/answers.ts'
import { type CreationOptions, createAuthenticator } from '../support/authenticator.ts'
import { countRows } from '../support/dump.ts'
import { STALE } from '../support/freshness.ts'
import { bearer, COOKIES, type Pair } from '../support/jwt.ts'
import { codeOf, offerOf } from '../support/mfa.ts'
import { sendHeadFirst } from '../support/socket.ts'
import { PASSWORD, type StartedAuth, startAuth } from '../support/start-auth.ts'

/**
 * A thief has a credential of Ada, sends the head of a request, and waits with its body until the
 * credential has been ended.
 */
const NEW = { new_password1: 'now it is mine alone', new_password2: 'now it is mine alone' }

type Browser = Awaited<ReturnType<StartedAuth['logInBrowser']>>

/** With two logins, of Ada and of the thief. */
async function startRobbed(settings = {}) {
  const auth = await startAuth({ REST_AUTH: { USE_JWT: true }, ...settings })
  await auth.createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  const logIn = async () => {
    const reply = await auth.request.post('login/', { username: 'ada', password: PASSWORD })
    return (reply.body as Pair).access
  }
  const [thief, ada] = [await logIn(), await logIn()]
  return {
    ...auth,
    thief,
    ada,
    whatThiefGets: (path: string, body: object, meanwhile: () => Promise<unknown>) =>
      sendHeadFirst(
        auth.app,
        { path: `/auth/${path}`, headers: { Authorization: `Bearer ${thief}` }, body },
        async () => {
          await meanwhile()
          expect((await auth.request.get('user/', bearer(thief))).status).toBe(401)
        },
      ),
    endOthers: async () => {
      expect((await auth.request.post('sessions/end-others/', {}, bearer(ada))).status).toBe(200)
    },
  }
}

test('log-out everywhere: no password is changed', async () => {
  const { whatThiefGets, endOthers, request, ada } = await startRobbed()
  expect((await whatThiefGets('password/change/', NEW, endOthers)).status).toBe(401)
  const login = await request.post('login/', { username: 'ada', password: PASSWORD })
  expect(login.status).toBe(200)
  expect((await request.get('user/', bearer(ada))).status).toBe(200)
})

test('log-out everywhere: no key is made', async () => {
  const { whatThiefGets, endOthers, db } = await startRobbed({ API_KEYS: true })
  const key = { name: 'mine', scopes: ['user:read'] }
  expect((await whatThiefGets('tokens/', key, endOthers)).status).toBe(401)
  expect(await countRows(db, 'api_keys')).toBe(0)
})

test('the end of one login: no password is changed', async () => {
  const { whatThiefGets, request, ada } = await startRobbed()
  const reply = await whatThiefGets('password/change/', NEW, async () => {
    const { body } = await request.get('sessions/', bearer(ada))
    const other = (body as { id: string; current: boolean }[]).find(({ current }) => !current)
    expect((await request.delete(`sessions/${other?.id}/`, bearer(ada))).status).toBe(204)
  })
  expect(reply.status).toBe(401)
})

test('a second factor: no passkey is added beside it', async () => {
  const started = await startRobbed()
  const { whatThiefGets, thief, ada, request, db } = started
  const begun = await request.post('passkeys/register/begin/', {}, bearer(thief))
  const credential = createAuthenticator().create(begun.body as CreationOptions)
  const reply = await whatThiefGets('passkeys/register/complete/', { credential }, async () => {
    const { secret, activation_token } = await offerOf(started, bearer(ada))
    const body = { activation_token, code: codeOf(started, secret) }
    expect((await request.post('mfa/totp/activate/', body, bearer(ada))).status).toBe(200)
  })
  expect(reply.status).toBe(401)
  expect(await countRows(db, 'passkeys')).toBe(0)
})

test('a logout ends the key that all logins share', async () => {
  const { app, request, createUserWithToken } = await startAuth()
  const token = await createUserWithToken('ada')
  const headers = { Authorization: `Token ${token}` }
  const reply = await sendHeadFirst(
    app,
    { path: '/auth/password/change/', headers, body: NEW },
    async () => {
      expect((await request.post('logout/', {}, { token })).status).toBe(200)
    },
  )
  expect(reply.status).toBe(401)
})

/** A session, and a token of Ada that is stale. The session is looked at first. */
async function startWithSessionOf(username: string) {
  const auth = await startAuth({
    API_KEYS: true,
    ACCOUNT: { REAUTHENTICATION_REQUIRED: true },
    REST_FRAMEWORK: { DEFAULT_AUTHENTICATION_CLASSES: ['session', 'token'] },
  })
  const stale = await auth.createUserWithToken('ada')
  await auth.createUser({ username: 'mallory', email: 'mallory@example.com', verified: true })
  const browser = await auth.logInBrowser(username)
  await auth.db.updateTable('tokens').set({ authenticated_at: NEVER_HERE }).execute()
  const request = {
    path: '/auth/tokens/',
    headers: { ...cookiesOf(browser, 'sessionid'), Authorization: `Token ${stale}` },
    body: { name: 'mine', scopes: ['user:read'] },
  }
  const endSession = async () => {
    // By the time that this is answered, the head of the other request is authenticated.
    expect((await browser.get('user/')).status).toBe(200)
    await auth.db.deleteFrom('logins').execute()
  }
  return { ...auth, request, endSession }
}

const cookiesOf = (browser: Browser, ...names: string[]) => ({
  Cookie: [...names, 'csrftoken'].map((name) => `${name}=${browser.cookie(name)}`).join('; '),
  'X-CSRFToken': browser.cookie('csrftoken'),
})

test('a stolen token does not take the place of a session that ends', async () => {
  const { app, db, request, endSession } = await startWithSessionOf('mallory')
  const reply = await sendHeadFirst(app, request, endSession)
  expect(reply).toMatchObject({ status: 401, body: NOT_PROVIDED })
  expect(await countRows(db, 'api_keys')).toBe(0)
})

test('a token of the same user must be fresh, as the session was', async () => {
  const { app, db, request, endSession } = await startWithSessionOf('ada')
  const reply = await sendHeadFirst(app, request, endSession)
  expect([reply.status, reply.body]).toEqual(STALE)
  expect(await countRows(db, 'api_keys')).toBe(0)
})

test('a logout is only of the user who began it', async () => {
  const { app, db, request, endSession, findUser } = await startWithSessionOf('mallory')
  const logout = { ...request, path: '/auth/logout/' }
  const reply = await sendHeadFirst(app, logout, endSession)
  expect(reply).toEqual({ status: 200, body: LOGGED_OUT })
  const owners = await db.selectFrom('tokens').select('user_id').execute()
  expect(owners).toContainEqual({ user_id: (await findUser('ada')).id })
})

test('a session that another tab renews leaves the pair of its login', async () => {
  const { app, createUser, logInBrowser } = await startAuth({
    REST_AUTH: { USE_JWT: true, SESSION_LOGIN: true, ...COOKIES },
    REST_FRAMEWORK: { DEFAULT_AUTHENTICATION_CLASSES: ['session', 'jwt'] },
  })
  await createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  const browser = await logInBrowser('ada')
  const headers = cookiesOf(browser, 'sessionid', 'jwt-auth')
  const request = { path: '/auth/sessions/end-others/', headers, body: {} }
  const reply = await sendHeadFirst(app, request, async () => {
    expect((await browser.post('password/change/', NEW, browser.csrf())).status).toBe(200)
    expect(headers.Cookie).not.toContain(browser.cookie('sessionid'))
  })
  expect(reply.status).toBe(200)
})

test('an operator who is logged out, and a key that is revoked, set no password', async () => {
  const started = await startAdmin()
  const { adminApp, auth, administration, handle, findUser } = started
  const root = await started.createOperator('root')
  const { id, password } = await started.createUser({ username: 'ada' })
  const { browser } = await setUpApp(started, 'root')
  const request = {
    path: `/admin/api/users/${id}/set-password/`,
    body: { password: 'now it is mine alone' },
  }
  const names = ['latchkey_admin', 'latchkey_admin_csrf']
  const session = {
    Cookie: names.map((name) => `${name}=${browser.cookie(name)}`).join('; '),
    'X-CSRFToken': browser.cookie('latchkey_admin_csrf'),
    Origin: ADMIN_ORIGIN,
  }
  const late = await sendHeadFirst(adminApp, { ...request, headers: session }, async () => {
    await administration.resetMfa(root)
    expect((await browser.get('users/')).status).toBe(401)
  })
  expect(late.status).toBe(401)

  const key = await createOperatorKey(started, ['users'])
  const program = { Authorization: `Bearer ${key}` }
  const revoked = await sendHeadFirst(adminApp, { ...request, headers: program }, () =>
    transaction(handle, (tx) => auth.services.adminKeys.revoke(1, tx)),
  )
  expect(revoked.status).toBe(401)
  expect((await findUser('ada')).password).toBe(password)
})
