import { expect, test } from 'vitest'
import { signup } from '../../support/accounts.ts'
import { KEY } from '../../support/answers.ts'
import { createAuthenticator } from '../../support/authenticator.ts'
import { countRows } from '../../support/dump.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { INVITED, invite } from '../../support/invitations.ts'
import { startAuth } from '../../support/start-auth.ts'

const BOB = 'bob@example.com'
const INVALID = { invitation: ['This invitation is not valid, or no longer.'] }
const REQUIRED = ['This field is required.']
const bob = { ...signup('bob'), email: undefined }

/** A service that now has other settings than on the day when it invited Bob. */
async function switchTo(settings: object) {
  const before = await startAuth(INVITED, { shared: true })
  const invitation = await invite(before, BOB, { groups: ['editors'] })
  const now = await startAuth(settings, { beside: before })
  const page = () => now.app.inject({ url: `/account/invitation/${invitation}` })
  return { ...now, invitation, page }
}

const EDITOR = { email: BOB, email_verified: 1, group_names: '["editors"]' }

test('open: it still gives its address and its groups, once', async () => {
  const { request, invitation, page, findUser, mail } = await switchTo({
    ACCOUNT: { EMAIL_VERIFICATION: 'mandatory' },
  })
  expect((await page()).statusCode).toBe(200)
  expect(
    await request.post('registration/', { ...bob, email: 'eve@example.com', invitation }),
  ).toMatchReply(400, { email: ['This e-mail address cannot be used here.'] })
  expect(await request.post('registration/', { ...bob, invitation })).toMatchReply(201, KEY)
  expect(await findUser('bob')).toMatchObject(EDITOR)
  expect(await mail.templates()).toEqual(['invitation'])

  expect((await page()).statusCode).toBe(404)
  const again = { ...signup('eve', 'eve@example.com'), invitation }
  expect(await request.post('registration/', again)).toMatchReply(400, INVALID)
  expect(await request.post('registration/', signup('grace'))).toMatchReply(201, {
    detail: 'Verification e-mail sent.',
  })
})

test('open: a form without a valid one needs its address, as ever', async () => {
  const { request, db } = await switchTo({})
  for (const invitation of [undefined, null, '']) {
    const reply = await request.post('registration/', { ...bob, invitation })
    expect(reply).toMatchReply(400, { email: REQUIRED })
    const begin = await request.post('passkeys/signup/begin/', { username: 'bob', invitation })
    expect(begin).toMatchReply(400, { email: REQUIRED })
  }
  const listed = await request.post('registration/', { ...bob, invitation: ['x'] })
  expect(listed).toMatchReply(400, { invitation: ['Not a valid string.'], email: REQUIRED })
  expect(await request.post('registration/', { ...bob, invitation: 'x' })).toMatchReply(
    400,
    INVALID,
  )
  expect(await countRows(db, 'users')).toBe(0)
  expect(await countRows(db, 'invitations')).toBe(1)
})

test('open: it works for passkeys and for social logins', async () => {
  const byPasskey = await switchTo({})
  const { request, invitation } = byPasskey
  const options = await request.post('passkeys/signup/begin/', { username: 'bob', invitation })
  const { session_id, ...creation } = options.body as { session_id: string }
  const credential = createAuthenticator().create(creation as never)
  const complete = { credential, session_id, name: 'Laptop' }
  expect(await request.post('passkeys/signup/complete/', complete)).toMatchReply(201, KEY)
  expect(await byPasskey.findUser('bob')).toMatchObject(EDITOR)
  const passkeys = await byPasskey.db.selectFrom('passkeys').select('name').execute()
  expect(passkeys).toEqual([{ name: 'Laptop' }])

  const idp = await startHostileProvider()
  const social = await switchTo(idp.settings())
  const id_token = await idp.idToken(social.clock, { email: 'b@other.example' })
  const reply = await social.request.post('idp/', { id_token, invitation: social.invitation })
  expect(reply).toMatchReply(200, KEY)
  expect(await social.findUser(BOB)).toMatchObject(EDITOR)
})

test('open: a field of the deployment with this name is not the key of an invitation', async () => {
  const { request, findUser, invitation, page } = await switchTo({
    USER_FIELDS: { invitation: { type: 'boolean', signup: true } },
  })
  expect((await page()).statusCode).toBe(404)
  const own = { ...signup('bob'), invitation: true }
  expect(await request.post('registration/', own)).toMatchReply(201, KEY)
  expect(await findUser('bob')).toMatchObject({ email_verified: 0, extra: '{"invitation":true}' })
  const other = { ...bob, username: 'eve', invitation }
  expect((await request.post('registration/', other)).status).toBe(400)
})

test('closed: it opens nothing, and its page says so', async () => {
  const { request, invitation, page, db } = await switchTo({ ACCOUNT: { SIGNUP: 'closed' } })
  const { statusCode, body } = await page()
  expect(statusCode).toBe(403)
  expect(body).toContain('New accounts cannot be created here at the moment.')
  expect((await request.post('registration/', { ...bob, invitation })).status).toBe(403)
  const begin = await request.post('passkeys/signup/begin/', { email: BOB, invitation })
  expect(begin.status).toBe(403)
  expect(await countRows(db, 'users')).toBe(0)
  expect(await countRows(db, 'invitations')).toBe(1)
})
