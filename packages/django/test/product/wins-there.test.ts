import { expect, test } from 'vitest'
import { requestReset, STRONG, twice } from '../../../server/test/support/accounts.ts'
import { KEYS, type MadeKey } from '../../../server/test/support/api-keys.ts'
import { countRows } from '../../../server/test/support/dump.ts'
import { bearer } from '../../../server/test/support/jwt.ts'
import { codeOf } from '../../../server/test/support/mfa.ts'
import { onPostgres } from '../../../server/test/support/postgres.ts'
import { startImported } from '../support/django.ts'
import { PASSWORD_THERE } from '../support/django-people.ts'
import { insertInto, keyIn } from '../support/django-tables.ts'

const [YES, NO] = onPostgres ? ['true', 'false'] : ['1', '0']

/** A project, and its users by the order in which they were made. */
async function startProject(deployment: 'default' | 'custom', variant = {}) {
  const imported = await startImported(deployment, variant)
  const { live, source, request } = imported
  const named = (name: string) => {
    const user = live.users.find(({ email }) => email.toLowerCase().startsWith(`${name}@`))
    if (!user) throw new Error(`There is no ${name}.`)
    return user
  }
  const key = (name: string) => {
    const pk = keyIn(named(name).pk)
    return typeof pk === 'number' ? String(pk) : `'${pk}'`
  }
  const setThere = (name: string, change: string) =>
    source.change(`update ${live.user_table} set ${change} where id = ${key(name)}`)
  const rename = (name: string) =>
    request.call('PATCH', 'user/', { first_name: 'Here' }, { token: named(name).token ?? '' })
  const show = (name: string) => request.get('user/', { token: named(name).token ?? '' })
  return { ...imported, named, key, setThere, rename, show }
}

const FLAGS = {
  USER_DETAILS_SERIALIZER: { fields: ['pk', 'first_name', 'is_staff', 'is_superuser'] },
} as const

test.each(['default', 'custom'] as const)(
  'a ban, a deletion and rights of %s win over what was changed here',
  async (deployment) => {
    const settings = { REST_AUTH: { USE_JWT: true, SESSION_LOGIN: true, ...FLAGS } }
    const project = await startProject(deployment, { settings })
    const { named, key, setThere, rename, show, source, importAgain, administration } = project
    for (const name of ['ada', 'cleo', 'dan', 'ida', 'lea'])
      expect((await rename(name)).status).toBe(200)
    await setThere('ada', `is_active = ${NO}`)
    await setThere('cleo', `is_staff = ${YES}, is_superuser = ${YES}`)
    await setThere('dan', `is_superuser = ${NO}`)
    // What was changed here alone stays.
    const ida = await project.findUser('ida@example.com')
    await administration.deactivate(ida)
    await setThere('ida', `is_staff = ${YES}`)
    for (const table of ['account_emailaddress', 'authtoken_token']) {
      await source.change(`delete from ${table} where user_id = ${key('lea')}`)
    }
    await source.change(`delete from ${project.live.user_table} where id = ${key('lea')}`)

    const { counts, kept, findings } = await importAgain()
    expect(counts).toMatchObject({ removed: 1, updated: 4 })
    expect({ kept, findings }).toEqual({ kept: 0, findings: [] })
    expect((await show('ada')).status).toBe(401)
    expect((await show('cleo')).body).toMatchObject({ first_name: 'Here', is_staff: true })
    expect((await show('dan')).body).toMatchObject({ is_staff: true, is_superuser: false })
    expect((await show('ida')).status).toBe(401)
    expect((await show('lea')).status).toBe(401)
    await expect(project.findUser('lea@example.com')).rejects.toThrow('There is no user')

    // A ban that ends there ends here.
    await setThere('ada', `is_active = ${YES}`)
    await importAgain()
    expect((await show('ada')).body).toMatchObject({ pk: named('ada').pk, first_name: 'Here' })
  },
)

test('a ban there ends the keys for programs, which stay ended after the ban', async () => {
  const project = await startProject('default', { settings: KEYS })
  const { named, setThere, importAgain, request, show } = project
  const login = await request.post('login/', { email: 'ada@example.com', password: PASSWORD_THERE })
  const { access = '' } = login.body as Record<string, string>
  const wish = { name: 'backup', scopes: ['user:read'] }
  const made = await request.post('tokens/', wish, bearer(access))
  const { key } = made.body as MadeKey
  const { pk } = named('ada')
  expect((await request.get('user/', { token: key })).body).toMatchObject({ pk })
  for (const is of [NO, YES]) {
    await setThere('ada', `is_active = ${is}`)
    await importAgain()
  }
  expect((await show('ada')).body).toMatchObject({ pk })
  expect((await request.get('user/', { token: key })).status).toBe(401)
})

test('a password that was changed there ends the logins that were begun here', async () => {
  const { named, setThere, importAgain, newBrowser, request, show } = await startProject('default')
  const given = { email: 'ada@example.com', password: PASSWORD_THERE }
  const browser = newBrowser()
  const { access, refresh } = (await browser.post('login/', given)).body as Record<string, string>
  const bySession = () => browser.get('user/')
  expect((await bySession()).status).toBe(200)
  const [theirs] = named('ada').jwts
  await setThere('ada', `password = (select password from auth_user where first_name = 'dan')`)
  expect(await importAgain()).toMatchObject({ counts: { updated: 1 }, lost: 0, kept: 0 })
  expect((await bySession()).status).toBe(401)
  expect((await request.get('user/', bearer(access ?? ''))).status).toBe(401)
  expect((await request.post('token/refresh/', { refresh })).status).toBe(401)
  for (const { sessionid } of named('ada').sessions) {
    expect((await request.get('user/', { cookies: { sessionid } })).status).toBe(401)
  }
  // There, too, a new password ends neither the key nor JSON Web Tokens.
  expect((await show('ada')).status).toBe(200)
  expect((await request.get('user/', bearer(theirs?.token ?? ''))).status).toBe(200)
  expect((await request.post('login/', given)).status).toBe(200)
})

test('a second factor that cannot be read is there, and only a recovery code satisfies it', async () => {
  const sealed = `'{"secret": "gAAAAABlcHJvamVjdA=="}'`
  const project = await startProject('default', {
    sql: () => `
      update mfa_authenticator set data = ${sealed} where type = 'totp';
      update mfa_authenticator set data = '{"seed": "gAAAAABlcHJvamVjdA==", "used_mask": 0}'
        where type = 'recovery_codes' and user_id = 7;
      ${insertInto('mfa_authenticator', [{ user_id: 1, type: 'recovery_codes', data: { json: { migrated_codes: ['left-over-1'] } }, created_at: new Date(0) }])}`,
  })
  const { report, named, request, administration, findUser, importAgain, auth } = project
  expect(report.counts).toMatchObject({ mfa: 2 })
  const told = (findings: typeof report.findings) => findings.map(({ pk, what }) => [pk, what])
  const losses = [
    ['1', 'recovery codes'],
    ['6', 'second factor'],
    ['7', 'recovery codes'],
    ['7', 'second factor'],
  ]
  expect(told(report.findings)).toEqual(losses)
  expect(report.findings[1]?.why).toContain('latchkey user reset-mfa')

  const logIn = async (name: string) =>
    (await request.post('login/', { email: `${name}@example.com`, password: PASSWORD_THERE })).body
  const verify = async (name: string, code: string) => {
    const { ephemeral_token } = (await logIn(name)) as { ephemeral_token: string }
    return (await request.post('mfa/verify/', { ephemeral_token, code })).status
  }
  const { totp, recovery_codes: codes } = named('finn')
  expect(await logIn('finn')).toMatchObject({ mfa_required: true })
  expect(await verify('finn', codeOf(project, totp?.secret ?? ''))).toBe(400)
  expect(await verify('finn', codes?.used[0] ?? '')).toBe(400)
  expect(await verify('finn', codes?.unused[0] ?? '')).toBe(200)
  expect(await verify('finn', codes?.unused[0] ?? '')).toBe(400)
  expect(await logIn('gil')).toMatchObject({ mfa_required: true })

  // The operator mends it, and no later import brings it back.
  const { mfa } = auth.services
  const gil = await findUser('gil@example.com')
  await administration.resetMfa(gil)
  await importAgain()
  expect(await logIn('gil')).toHaveProperty('access')
  const left = codes?.unused.slice(1)
  expect(await mfa.unusedRecoveryCodes((await findUser('finn@example.com')).id)).toEqual(left)
})

test('what came over with an unverified address stays when the address is proved', async () => {
  const sql = () => `update account_emailaddress set verified = ${NO}`
  const project = await startProject('default', { sql })
  const { named, request, db, findUser } = project
  const count = async () => [
    await countRows(db, 'social_accounts'),
    await countRows(db, 'passkeys'),
    await countRows(db, 'totp_authenticators'),
  ]
  const before = await count()
  expect(before).toEqual([1, 3, 2])
  for (const name of ['jon', 'ida', 'gil']) {
    const key = named(name).email_keys[0]?.key ?? ''
    expect((await request.post('registration/verify-email/', { key })).status).toBe(200)
    expect(await count()).toEqual(before)
  }
  await db.updateTable('users').set({ email_verified: 0 }).execute()
  for (const name of ['jon', 'hal', 'finn']) {
    const { email } = named(name)
    const { uid, token } = await requestReset(project, email)
    const reset = { uid, token, ...twice(STRONG) }
    expect((await request.post('password/reset/confirm/', reset)).status).toBe(200)
    expect(await findUser(email)).toMatchObject({ email_verified: 1 })
    expect(await count()).toEqual(before)
  }
  const login = await request.post('login/', { email: 'finn@example.com', password: STRONG })
  expect(login.body).toMatchObject({ mfa_required: true })
})
