import { expect, test } from 'vitest'
import { STRONG, signup, verificationKey } from '../../support/accounts.ts'
import { INVALID_TOKEN, KEY, UNABLE } from '../../support/answers.ts'
import { BY_CODE, codesIn, startWithCodes } from '../../support/codes.ts'
import { countRows } from '../../support/dump.ts'
import { activate, codeOf, MFA_REQUIRED, verify } from '../../support/mfa.ts'
import { logIn, registered } from '../../support/passkeys.ts'
import { startAuth } from '../../support/start-auth.ts'

const BOB = 'bob@example.com'

/** Somebody, maybe a stranger, has registered with the address of Bob. */
async function startWithBob(ACCOUNT: object = {}, settings: object = {}) {
  const auth = await startAuth({ ...settings, ACCOUNT: { ...BY_CODE, ...ACCOUNT } })
  const reply = await auth.request.post('registration/', signup('bob'))
  const { key: token = '' } = reply.body as { key?: string }
  const logInByCode = async () => {
    const { begin, confirm } = codesIn(auth)
    return confirm(await begin(BOB))
  }
  return { ...auth, token, logInByCode }
}

test.each(['optional', 'mandatory', 'none'])(
  'with %s verification a code proves the address',
  async (EMAIL_VERIFICATION) => {
    const { logInByCode, findUser } = await startWithBob({ EMAIL_VERIFICATION })
    expect(await findUser('bob')).toMatchObject({ email_verified: 0 })
    expect(await logInByCode()).toMatchReply(200, KEY)
    expect(await findUser('bob')).toMatchObject({ email_verified: 1 })
  },
)

test('whoever registered the address of another is out when its owner logs in', async () => {
  const { token, request, logInByCode, mail, findUser, administration } = await startWithBob()
  const reply = await logInByCode()
  expect(reply).toMatchReply(200, KEY)
  expect(await request.get('user/', { token })).toMatchReply(401, INVALID_TOKEN)
  const byPassword = await request.post('login/', { username: 'bob', password: STRONG })
  expect(byPassword).toMatchReply(400, UNABLE)
  const { key } = reply.body as { key: string }
  expect((await request.get('user/', { token: key })).status).toBe(200)
  expect(await mail.of('logins-ended')).toMatchObject([{ to: BOB }])
  const { id } = await findUser('bob')
  const events = (await administration.history(id)).map(({ event }) => event)
  expect(events).toEqual(['email_verified', 'login_by_code'])
})

test('a second login by code takes nothing away', async () => {
  const { logInByCode, request } = await startWithBob()
  const { key: token } = (await logInByCode()).body as { key: string }
  expect((await logInByCode()).status).toBe(200)
  expect((await request.get('user/', { token })).status).toBe(200)
})

test.each([
  [{ EMAIL_VERIFICATION: 'none' }, {}],
  [{}, { MFA_ALLOW_UNVERIFIED_EMAIL: true }],
])(
  'with %j and %j what lets in goes, too, and the second factor stays',
  async (ACCOUNT, settings) => {
    const auth = await startWithBob(ACCOUNT, settings)
    const { request, token, db, mail } = auth
    const passkey = await registered(request, token)
    const { secret } = await activate(auth, token)
    const reply = await auth.logInByCode()
    expect(reply).toMatchReply(200, MFA_REQUIRED)
    expect(reply.cookies).toEqual([])
    expect(await countRows(db, 'totp_authenticators')).toBe(1)
    expect(await countRows(db, 'recovery_codes')).toBe(10)
    expect(await request.get('user/', { token })).toMatchReply(401, INVALID_TOKEN)
    const byPassword = await request.post('login/', { username: 'bob', password: STRONG })
    expect(byPassword).toMatchReply(400, UNABLE)
    expect((await logIn(request, passkey)).status).toBe(400)
    expect(await mail.of('logins-ended')).toHaveLength(1)
    expect(await mail.of('additions-removed')).toHaveLength(1)
    auth.clock.advance(30_000)
    const { ephemeral_token } = reply.body as { ephemeral_token: string }
    expect(await verify(auth, ephemeral_token, codeOf(auth, secret))).toMatchReply(200, KEY)
  },
)

test('a passkey that was added too early goes with the first login by code, also after a confirmation', async () => {
  const auth = await startWithBob({}, { MFA_ALLOW_UNVERIFIED_EMAIL: true })
  const { request, token, db } = auth
  await registered(request, token)
  const key = await verificationKey(auth, BOB)
  expect((await request.post('registration/verify-email/', { key })).status).toBe(200)
  expect(await countRows(db, 'passkeys')).toBe(1)
  expect((await auth.logInByCode()).status).toBe(200)
  expect(await countRows(db, 'passkeys')).toBe(0)
  // The password stays: the address was confirmed before.
  const byPassword = await request.post('login/', { username: 'bob', password: STRONG })
  expect(byPassword).toMatchReply(200, KEY)
  expect((await request.get('user/', { token })).status).toBe(200)
})

test('a proved address keeps password and logins', async () => {
  const { begin, confirm, request, mail } = await startWithCodes()
  const password = 'correct horse battery staple'
  const before = await request.post('login/', { username: 'ada', password })
  const { key: token } = before.body as { key: string }
  expect((await confirm(await begin())).status).toBe(200)
  expect((await request.get('user/', { token })).status).toBe(200)
  expect((await request.post('login/', { username: 'ada', password })).status).toBe(200)
  expect(await mail.of('logins-ended')).toEqual([])
})
