import { expect, test } from 'vitest'
import { signup } from '../../support/accounts.ts'
import { KEY } from '../../support/answers.ts'
import { countRows } from '../../support/dump.ts'
import { INVITED, invite } from '../../support/invitations.ts'
import { startAuth } from '../../support/start-auth.ts'

const BOB = 'bob@example.com'
const bob = { ...signup('bob'), email: undefined }

/** A service that now has other settings than on the day when it invited Bob. */
async function switchTo(settings: object) {
  const before = await startAuth(INVITED, { shared: true })
  const invitation = await invite(before, BOB, { groups: ['editors'] })
  const now = await startAuth(settings, { beside: before })
  const page = () => now.app.inject({ url: `/account/invitation/${invitation}` })
  return { ...now, invitation, page }
}

test('open: the link leads to the usual form, and the field is nobody’s', async () => {
  const { request, invitation, page, findUser, db } = await switchTo({})
  const { statusCode, body } = await page()
  expect(statusCode).toBe(200)
  expect(body).not.toContain(invitation)
  expect(body).not.toContain(BOB)

  const withoutAddress = await request.post('registration/', { ...bob, invitation })
  expect(withoutAddress).toMatchReply(400, { email: ['This field is required.'] })
  for (const [name, sent] of [
    ['bob', invitation],
    ['eve', 'x'],
    ['grace', ['x']],
  ] as const) {
    const reply = await request.post('registration/', { ...signup(name), invitation: sent })
    expect(reply).toMatchReply(201, KEY)
    // Neither verified nor in the groups of the invitation.
    expect(await findUser(name)).toMatchObject({ email_verified: 0, group_names: '[]' })
  }
  expect(await countRows(db, 'invitations')).toBe(1)
})

test('open, but without registration: the page shows no form that could not be sent', async () => {
  const { page } = await switchTo({ MODULES: ['pages'] })
  const { statusCode, body } = await page()
  expect(statusCode).toBe(404)
  expect(body).not.toContain('<form')
  expect(body).not.toContain(BOB)
})

test('open: a field of the deployment with this name keeps its own meaning', async () => {
  const { request, findUser } = await startAuth({
    USER_FIELDS: { invitation: { type: 'boolean', signup: true } },
  })
  const own = { ...signup('bob'), invitation: true }
  expect(await request.post('registration/', own)).toMatchReply(201, KEY)
  expect(await findUser('bob')).toMatchObject({ extra: '{"invitation":true}' })
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
