import { expect, test } from 'vitest'
import { requestReset, STRONG, twice, verificationKey } from '../../support/accounts.ts'
import { createAuthenticator } from '../../support/authenticator.ts'
import { countRows } from '../../support/dump.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { activate, MFA_REQUIRED } from '../../support/mfa.ts'
import { beginRegistration, logIn, registered } from '../../support/passkeys.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

/** Settings under which things are added before the address is proved. */
const LAX: [string, object][] = [
  ['MFA_ALLOW_UNVERIFIED_EMAIL', { MFA_ALLOW_UNVERIFIED_EMAIL: true }],
  ['no verification', { ACCOUNT: { EMAIL_VERIFICATION: 'none' } }],
]
const ADA = 'ada@example.com'
const NOT_KNOWN = { non_field_errors: ['Authentication verification failed.'] }

/** An account with everything that can be added, and an address that is proved or not. */
async function startWithEverything(verified: boolean, lax: object = LAX[0]?.[1] ?? {}) {
  const idp = await startHostileProvider()
  const settings = idp.settings()
  const auth = await startAuth({ ...settings, ...lax }, { shared: true })
  const { request, createUser, clock, db } = auth
  await createUser({ username: 'ada', email: ADA, verified })
  const login = await request.post('login/', { username: 'ada', password: PASSWORD })
  const { key: token } = login.body as { key: string }
  const passkey = await registered(request, token)
  const id_token = await idp.idToken(clock, { sub: 'there' })
  await request.post('idp/connect/', { id_token }, { token })
  await activate(auth, token)

  const resetPassword = async () => {
    const { uid, token } = await requestReset(auth, ADA)
    return request.post('password/reset/confirm/', { uid, token, ...twice(STRONG) })
  }
  const confirmAddress = async (service: typeof auth = auth) => {
    await service.request.post('registration/resend-email/', { email: ADA })
    const key = await verificationKey(service, ADA)
    const reply = await service.request.post('registration/verify-email/', { key })
    expect(reply).toMatchReply(200, { detail: 'ok' })
  }
  const rows = async () => ({
    mfa: await countRows(db, 'totp_authenticators'),
    codes: await countRows(db, 'recovery_codes'),
    passkeys: await countRows(db, 'passkeys'),
    social: await countRows(db, 'social_accounts'),
  })
  const { templates } = auth.mail
  return {
    ...auth,
    token,
    socialSettings: settings,
    passkey,
    resetPassword,
    confirmAddress,
    rows,
    templates,
  }
}

const ALL = { mfa: 1, codes: 10, passkeys: 1, social: 1 }
const LOCKED = { mfa: 1, codes: 10, passkeys: 0, social: 0 }

test.each(LAX)('%s: a reset removes what lets in, and leaves what locks', async (_, lax) => {
  const auth = await startWithEverything(false, lax)
  const { request, passkey, resetPassword, rows, administration, findUser } = auth
  expect(await rows()).toEqual(ALL)
  expect((await resetPassword()).status).toBe(200)
  expect(await rows()).toEqual(LOCKED)
  expect(await logIn(request, passkey)).toMatchReply(400, NOT_KNOWN)

  // A mailbox alone does not open an account that has a second factor.
  const login = await request.post('login/', { email: ADA, password: STRONG })
  expect(login).toMatchReply(200, MFA_REQUIRED)
  expect(login.cookies).toEqual([])
  const ada = await findUser('ada')
  expect(ada).toMatchObject({ email_verified: 1 })
  const history = await administration.history(ada.id)
  const removal = history.find(({ event }) => event === 'unproved_additions_removed')
  expect(JSON.parse(removal?.details ?? '')).toEqual({
    api_keys: 0,
    passkeys: 1,
    social_accounts: 1,
  })
  expect(await auth.templates()).toContain('additions-removed')
})

test('what was added after the proof stays', async () => {
  const { request, passkey, resetPassword, rows, templates } = await startWithEverything(true)
  expect((await resetPassword()).status).toBe(200)
  expect(await rows()).toEqual(ALL)
  expect(await templates()).not.toContain('additions-removed')
  const login = await request.post('login/', { email: ADA, password: STRONG })
  expect(login).toMatchReply(200, MFA_REQUIRED)
  expect((await logIn(request, passkey)).status).toBe(200)
})

test('what a deployment held before additions were marked counts as added by the owner', async () => {
  const { db, resetPassword, rows, templates } = await startWithEverything(false)
  await db.updateTable('passkeys').set({ added_unproved: 0 }).execute()
  await db.updateTable('social_accounts').set({ added_unproved: 0 }).execute()
  expect((await resetPassword()).status).toBe(200)
  expect(await rows()).toEqual(ALL)
  expect(await templates()).not.toContain('additions-removed')
})

test('a confirmation changes the flag alone, where verification was switched on since, too', async () => {
  const auth = await startWithEverything(false)
  const strict = await startAuth(auth.socialSettings, { beside: auth })
  await auth.confirmAddress(strict)
  expect(await auth.rows()).toEqual(ALL)
  expect(await auth.findUser('ada')).toMatchObject({ email_verified: 1 })
  expect((await strict.request.get('user/', { token: auth.token })).status).toBe(200)
  expect(await auth.templates()).not.toContain('additions-removed')
  const login = await strict.request.post('login/', { email: ADA, password: PASSWORD })
  expect(login).toMatchReply(200, MFA_REQUIRED)
})

test('a stranger’s ways in outlive a careless confirmation, and not the reset that follows', async () => {
  const { resetPassword, confirmAddress, rows } = await startWithEverything(false)
  await confirmAddress()
  expect((await resetPassword()).status).toBe(200)
  expect(await rows()).toEqual(LOCKED)
})

test('an addition beside a reset is gone after it, or refused', async () => {
  const auth = await startWithEverything(false)
  const { request, token } = auth
  const options = await beginRegistration(request, token)
  const credential = createAuthenticator().create(options)
  const adding = request.post('passkeys/register/complete/', { credential }, { token })
  const [reset] = await Promise.all([auth.resetPassword(), adding])
  expect(reset.status).toBe(200)
  expect(await auth.rows()).toEqual(LOCKED)
})
