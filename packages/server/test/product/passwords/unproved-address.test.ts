import { expect, test } from 'vitest'
import { requestReset, STRONG, twice, verificationKey } from '../../support/accounts.ts'
import { KEY } from '../../support/answers.ts'
import { countRows } from '../../support/dump.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { activate, MFA_REQUIRED } from '../../support/mfa.ts'
import { logIn, registered } from '../../support/passkeys.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

/** For settings that do not require a proved address, and for accounts older than that rule. */
const LAX = { MFA_ALLOW_UNVERIFIED_EMAIL: true }
const ADA = 'ada@example.com'
const NOT_KNOWN = { non_field_errors: ['Authentication verification failed.'] }

/** An account with everything that can be added, and an address that is proved or not. */
async function startWithEverything(verified: boolean) {
  const idp = await startHostileProvider()
  const settings = idp.settings()
  const auth = await startAuth({ ...settings, ...LAX }, { shared: true })
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
  const rows = async () => ({
    mfa: await countRows(db, 'totp_authenticators'),
    codes: await countRows(db, 'recovery_codes'),
    passkeys: await countRows(db, 'passkeys'),
    social: await countRows(db, 'social_accounts'),
  })
  const { templates } = auth.mail
  return { ...auth, socialSettings: settings, passkey, resetPassword, rows, templates }
}

const ALL = { mfa: 1, codes: 10, passkeys: 1, social: 1 }
const NONE = { mfa: 0, codes: 0, passkeys: 0, social: 0 }

test('somebody who registered with another address loses everything when its owner resets the password', async () => {
  const auth = await startWithEverything(false)
  const { request, passkey, resetPassword, rows, administration, findUser } = auth
  expect(await rows()).toEqual(ALL)
  expect((await resetPassword()).status).toBe(200)
  expect(await rows()).toEqual(NONE)
  expect(await logIn(request, passkey)).toMatchReply(400, NOT_KNOWN)

  const login = await request.post('login/', { email: ADA, password: STRONG })
  expect(login).toMatchReply(200, KEY)
  const ada = await findUser('ada')
  expect(ada).toMatchObject({ email_verified: 1 })
  const [newest] = ada ? await administration.history(ada.id) : []
  expect(newest).toMatchObject({ event: 'unproved_additions_removed' })
  expect(JSON.parse(newest?.details ?? '')).toEqual({ mfa: 1, passkeys: 1, social_accounts: 1 })
  expect(await auth.templates()).toContain('additions-removed')
})

test('where the address was proved before, everything stays, the second factor first of all', async () => {
  const { request, passkey, resetPassword, rows, templates } = await startWithEverything(true)
  expect((await resetPassword()).status).toBe(200)
  expect(await rows()).toEqual(ALL)
  expect(await templates()).not.toContain('additions-removed')
  const login = await request.post('login/', { email: ADA, password: STRONG })
  expect(login).toMatchReply(200, MFA_REQUIRED)
  expect((await logIn(request, passkey)).status).toBe(200)
})

test('a second reset takes nothing away: the first one proved the address', async () => {
  const auth = await startAuth()
  const { request, createUser } = auth
  await createUser({ username: 'ada', email: ADA })
  const reset = async () => {
    const { uid, token } = await requestReset(auth, ADA)
    return request.post('password/reset/confirm/', { uid, token, ...twice(STRONG) })
  }
  expect((await reset()).status).toBe(200)
  const login = await request.post('login/', { email: ADA, password: STRONG })
  await activate(auth, (login.body as { key: string }).key)
  expect((await reset()).status).toBe(200)
  expect(await countRows(auth.db, 'totp_authenticators')).toBe(1)
})

test('confirming the address by its link takes away what could not be added today', async () => {
  const before = await startWithEverything(false)
  const after = await startAuth(before.socialSettings, { beside: before })
  await after.request.post('registration/resend-email/', { email: ADA })
  const key = await verificationKey(after, ADA)
  const reply = await after.request.post('registration/verify-email/', { key })
  expect(reply).toMatchReply(200, { detail: 'ok' })
  expect(await before.rows()).toEqual(NONE)
  expect(await before.templates()).toContain('additions-removed')
  // For the user who registered nothing changes.
  const login = await after.request.post('login/', { email: ADA, password: PASSWORD })
  expect(login).toMatchReply(200, KEY)
})

test('confirming it takes nothing away where additions may come before', async () => {
  const auth = await startWithEverything(false)
  await auth.request.post('registration/resend-email/', { email: ADA })
  const key = await verificationKey(auth, ADA)
  await auth.request.post('registration/verify-email/', { key })
  expect(await auth.rows()).toEqual(ALL)
  expect(await auth.templates()).not.toContain('additions-removed')
})
