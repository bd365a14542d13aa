import { expect, test } from 'vitest'
import { DAY } from '../../../server/src/kernel/clock.ts'
import { STRONG, twice } from '../../../server/test/support/accounts.ts'
import { codeOf } from '../../../server/test/support/mfa.ts'
import { BROWSER, FORM } from '../../../server/test/support/pages.ts'
import { PASSWORD, startAuth } from '../../../server/test/support/start-auth.ts'
import { djangoFile, importInto } from '../support/django.ts'
import { projectSql, vectors } from '../support/django-project.ts'

const WISH = { table: 'auth_user', secretKeys: [vectors.secretKey] }
const TOKEN = 'a1'.repeat(20)
const SETTINGS = {
  DJANGO_SECRET_KEY: vectors.secretKey,
  USER_FIELDS: { phone: { type: 'string' } },
} as const

async function startWithProject() {
  const source = await djangoFile(projectSql)
  const started = await startAuth(SETTINGS)
  const report = await importInto(started, source.url, WISH)
  return { ...started, source, report, importAgain: () => importInto(started, source.url, WISH) }
}

test('what cannot be the same is told', async () => {
  const { report } = await startWithProject()
  expect(report.counts).toMatchObject({ added: 8, token: 1, sessions: 1 })
  expect(report.findings.map(({ pk, what }) => [pk, what])).toEqual([
    ['7', 'account at nowhere'],
    ['9', 'username'],
    ['10', 'address'],
    ['12', 'password'],
    ['14', 'recovery codes'],
  ])
})

test('a user keeps pk, names, groups, fields, token and session', async () => {
  const { request } = await startWithProject()
  const ada = { pk: 7, username: 'ada', email: 'ada@example.com', phone: '+49 30 1' }
  expect((await request.get('user/', { token: TOKEN })).body).toMatchObject(ada)
  const cookies = { sessionid: 's'.repeat(32) }
  expect((await request.get('user/', { cookies })).body).toMatchObject(ada)
  const anonymous = { sessionid: 't'.repeat(32) }
  expect((await request.get('user/', { cookies: anonymous })).status).toBe(401)
})

test('a further address logs in only if it is verified, and is taken', async () => {
  const { request, findUser } = await startWithProject()
  const login = { email: 'second@example.com', password: vectors.password }
  expect((await request.post('login/', login)).status).toBe(200)
  expect((await findUser('second@example.com')).username).toBe('ada')
  await expect(findUser('unproved@example.com')).rejects.toThrow('There is no user')
  const registration = {
    username: 'new',
    email: 'second@example.com',
    password1: PASSWORD,
    password2: PASSWORD,
  }
  expect((await request.post('registration/', registration)).status).toBe(400)
})

test('the one who verified a shared address has it', async () => {
  const { findUser } = await startWithProject()
  expect((await findUser('shared@example.com')).username).toBe('owner')
  expect(await findUser('first')).toMatchObject({ id: 10, email: '' })
})

test('the second of two names gets a number', async () => {
  const { findUser } = await startWithProject()
  expect(await findUser('Kim')).toMatchObject({ id: 8 })
  expect(await findUser('kim2')).toMatchObject({ id: 9 })
})

test('new users get ids that the project does not give out', async () => {
  const { createUser } = await startWithProject()
  expect((await createUser({ username: 'new' })).id).toBeGreaterThan(1_000_000)
})

test('the second factor of dj-rest-auth itself goes on', async () => {
  const started = await startWithProject()
  const { request, auth, db, findUser } = started
  const { password } = await findUser('ada')
  await db.updateTable('users').set({ password }).execute()
  const own = await findUser('own')
  // Of ten codes the first one is used.
  const codes = await auth.services.mfa.unusedRecoveryCodes(own.id)
  expect(codes).toHaveLength(9)
  expect(codes[0]).toMatch(/^[0-9a-f]{4}-[0-9a-f]{4}$/)

  const verify = async (code: string) => {
    const given = { username: 'own', password: vectors.password }
    const { body } = await request.post('login/', given)
    const { ephemeral_token } = body as { ephemeral_token: string }
    return (await request.post('mfa/verify/', { ephemeral_token, code })).status
  }
  expect(await verify(codes[0] ?? '')).toBe(200)
  expect(await verify(codes[0] ?? '')).toBe(400)
  expect(await verify(codeOf(started, 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'))).toBe(200)
})

test('a link that Django has mailed resets the password, once', async () => {
  const { request, findUser } = await startWithProject()
  const confirm = () =>
    request.post('password/reset/confirm/', {
      uid: '7',
      token: vectors.resets.neverLoggedIn,
      ...twice(STRONG),
    })
  expect((await confirm()).status).toBe(200)
  expect((await confirm()).status).toBe(400)
  expect(await findUser('ada')).toMatchObject({ email_verified: 1 })
})

test.each([
  [2, 200],
  [4, 400],
])(
  'a link that Django has mailed %d days ago answers %d, with the three days of Django',
  async (days, status) => {
    const { request, clock } = await startWithProject()
    clock.advance(days * DAY)
    const link = { uid: '7', token: vectors.resets.neverLoggedIn }
    const reply = await request.post('password/reset/confirm/', { ...link, ...twice(STRONG) })
    expect(reply.status).toBe(status)
  },
)

test('a link that Django has mailed stays void when the user returns to the old address', async () => {
  const { request, administration, findUser } = await startWithProject()
  for (const email of ['new@example.com', 'ada@example.com']) {
    await administration.set(await findUser('ada'), { address: { email } })
  }
  const link = { uid: '7', token: vectors.resets.neverLoggedIn }
  const reply = await request.post('password/reset/confirm/', { ...link, ...twice(STRONG) })
  expect(reply).toMatchReply(400, { token: ['Invalid value'] })
})

test('a key that allauth has mailed confirms its address, once', async () => {
  const { request, findUser, db } = await startWithProject()
  const verify = async (key: string) =>
    (await request.post('registration/verify-email/', { key })).status
  const { of2, of4 } = vectors.emailKeys
  // The address is verified already.
  expect(await verify(of2)).toBe(404)
  expect(await verify(of4)).toBe(200)
  expect(await verify(of4)).toBe(404)
  expect((await findUser('unproved@example.com')).username).toBe('Kim')
  expect(await verify(`${of4}x`)).toBe(404)

  // Another address of the same user is not the one that mails go to.
  expect(await findUser('Kim')).toMatchObject({ email: 'kim@example.com', email_verified: 0 })
  await db.updateTable('django_addresses').set({ verified: 0 }).where('id', '=', 2).execute()
  await db
    .updateTable('django_addresses')
    .set({ email_key: 'ada@example.com' })
    .where('id', '=', 2)
    .execute()
  await db.updateTable('users').set({ email_verified: 0 }).where('id', '=', 7).execute()
  expect(await verify(of2)).toBe(200)
  expect(await findUser('ada')).toMatchObject({ email_verified: 1 })
})

test('the page of such a key names its address, and "This wasn’t me" removes it', async () => {
  const { request, findUser, db } = await startWithProject()
  const { of2, of4 } = vectors.emailKeys
  const page = await request.get(`/account/confirm/${of4}`, BROWSER)
  expect(page.body).toContain('unproved@example.com')
  expect(page.body).toContain('“Kim”')
  expect(page.body).not.toContain('kim@example.com')
  const disown = (key: string) =>
    request.post(`/account/confirm/${key}`, 'answer=not-mine', { type: FORM, ...BROWSER })
  const [one, other] = await Promise.all([disown(of4), disown(of4)])
  expect([one.status, other.status].toSorted()).toEqual([200, 404])
  expect((await request.post('registration/verify-email/', { key: of4 })).status).toBe(404)
  expect(await findUser('Kim')).toMatchObject({ email: 'kim@example.com' })

  // An address that was proved stays.
  expect((await disown(of2)).status).toBe(404)
  await db
    .updateTable('django_addresses')
    .set({ verified: 0, email_key: 'ada@example.com' })
    .where('id', '=', 2)
    .execute()
  expect((await disown(of2)).status).toBe(404)
  await db.updateTable('users').set({ email_verified: 0 }).where('id', '=', 7).execute()
  expect((await disown(of2)).status).toBe(200)
  expect(await findUser('ada')).toMatchObject({ email: '', email_key: null, email_verified: 0 })
})

test('an address that was given up here no longer logs in', async () => {
  const { request, findUser, mail } = await startWithProject()
  const change = { email: 'new@example.com', password: vectors.password }
  expect((await request.post('email/change/', change, { token: TOKEN })).status).toBe(200)
  const letters = await mail.letters()
  const letter = letters.find(({ template }) => template === 'change-email')
  const key = String(letter?.values.key)
  expect((await request.post('email/change/confirm/', { key })).status).toBe(200)
  await expect(findUser('ada@example.com')).rejects.toThrow('There is no user')
  expect((await findUser('second@example.com')).username).toBe('ada')
})

test('without the key of the project its links are void', async () => {
  const source = await djangoFile(projectSql)
  const started = await startAuth()
  await importInto(started, source.url, WISH)
  const link = { uid: '7', token: vectors.resets.neverLoggedIn }
  const reply = await started.request.post('password/reset/confirm/', { ...link, ...twice(STRONG) })
  expect(reply).toMatchReply(400, { token: ['Invalid value'] })
})

test('a user who is deleted there is deleted here, even if changed here', async () => {
  const { source, importAgain, request, findUser, auth, mail } = await startWithProject()
  await request.call('PATCH', 'user/', { first_name: 'Ada' }, { token: TOKEN })
  await source.change('delete from auth_user where id in (7, 12)')
  const { counts, findings } = await importAgain()
  expect(counts).toMatchObject({ removed: 2 })
  expect(findings.map(({ pk }) => pk)).not.toContain('7')
  expect((await request.get('user/', { token: TOKEN })).status).toBe(401)
  await expect(findUser('odd')).rejects.toThrow('There is no user')
  expect(await auth.services.audit.newestOfUser(12, 5)).toMatchObject([{ event: 'user_deleted' }])
  // They left there: no letter says farewell here.
  expect(await mail.templates()).not.toContain('account-deleted')
})
