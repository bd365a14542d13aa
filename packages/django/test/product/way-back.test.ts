import { describe, expect, test } from 'vitest'
import { STRONG, twice } from '../../../server/test/support/accounts.ts'
import { changeKey } from '../../../server/test/support/addresses.ts'
import { BROWSER, FORM } from '../../../server/test/support/pages.ts'
import { deployments, startImported } from '../support/django.ts'
import type { Live } from '../support/django-live.ts'
import { emailKey, resetToken } from '../support/django-signed.ts'
import { insertInto, keyIn } from '../support/django-tables.ts'
import { wayBackTo } from '../support/django-way-back.ts'

const NEW = 'somebody@new.example'
const UNVERIFIED = { verified: false, primary: false }

describe.each(deployments)('the way back to %s', (deployment) => {
  test('a new address replaces the former one, which no longer belongs to the user', async () => {
    const imported = await startImported(deployment)
    const { live, request } = imported
    const user = live.users.find(
      (one) => one.is_active && one.token && one.password && one.email && !one.totp,
    )
    if (!user?.token || !user.password) throw new Error('Too few.')
    const { token, password } = user
    const wish = { email: NEW, password }
    expect((await request.post('email/change/', wish, { token })).status).toBe(200)
    const key = await changeKey(imported, NEW)
    expect((await request.post('email/change/confirm/', { key })).status).toBe(200)

    const { exportUsers, rows: rowsOf } = wayBackTo(imported)
    expect(await exportUsers()).toMatchObject({ counts: { addresses: 1 }, kept: [], isDone: true })
    const rows = await rowsOf('account_emailaddress', 'user_id', keyIn(user.pk))
    const emails = rows.map(({ email }) => email)
    expect(emails).toContain(NEW)
    expect(emails).not.toContain(user.email.toLowerCase())
    expect(rows.filter(({ primary }) => Boolean(primary)).map(({ email }) => email)).toEqual([NEW])

    const { counts, kept } = await imported.importAgain()
    expect({ counts, kept }).toEqual({ counts: { unchanged: live.users.length }, kept: 0 })
  })
})

// An import leaves out the second one, because another user has verified it.
test.each(['kay@example.com', 'ada@example.com'])(
  'further addresses that were verified here go back, and %s stays in the user table',
  async (email) => {
    const isOwn = email === 'kay@example.com'
    const further = ['kay@one.example', 'kay@two.example']
    const sql = ({ users }: Live) => {
      const user_id = users.find((one) => one.email === 'kay@example.com')?.pk ?? 0
      const rows = further.map((one, i) => ({ id: 100 + i, user_id, email: one, ...UNVERIFIED }))
      return `update auth_user set email = '${email}' where username = 'kay';
        delete from account_emailaddress where user_id = ${user_id};
        ${insertInto('account_emailaddress', rows)}`
    }
    const imported = await startImported('default', { sql })
    const { live, request, importAgain } = imported
    const { exportUsers, rows } = wayBackTo(imported)
    for (const [i, address] of further.entries()) {
      const at = Date.parse(live.generated_at)
      const key = emailKey(100 + i, live.settings.SECRET_KEY, at)
      expect((await request.post('registration/verify-email/', { key })).status).toBe(200)
      expect(await exportUsers()).toMatchObject({ counts: { addresses: 1 }, kept: [] })
      const [row] = await rows('account_emailaddress', 'email', address)
      expect(Boolean(row?.verified)).toBe(true)
      expect(await rows('auth_user', 'username', 'kay')).toMatchObject([{ email }])
      expect(await rows('account_emailaddress', 'user_id', Number(row?.user_id))).toHaveLength(2)
    }
    // A link that went to the address of another user opens nothing, as before the export.
    const [{ id: pk, password, last_login } = {}] = await rows('auth_user', 'username', 'kay')
    const lastLogin = typeof last_login === 'string' ? new Date(`${last_login}Z`) : last_login
    const link = {
      uid: Number(pk).toString(36),
      token: resetToken(
        {
          pk: Number(pk),
          passwordHash: String(password),
          lastLogin: lastLogin instanceof Date ? lastLogin : null,
          email,
          addresses: further,
        },
        live.settings.SECRET_KEY,
        Date.parse(live.generated_at),
      ),
    }
    const reset = await request.post('password/reset/confirm/', { ...link, ...twice(STRONG) })
    expect(reset.status).toBe(isOwn ? 200 : 400)

    expect(await importAgain()).toMatchObject({ counts: { unchanged: live.users.length }, kept: 0 })
    expect((await exportUsers()).counts).toEqual(isOwn ? { password: 1 } : {})
  },
)

test('an address that was removed here goes away there, even if the import has left out another one', async () => {
  const sql = ({ users }: Live) => {
    const user_id = users.find((one) => one.email === 'kay@example.com')?.pk ?? 0
    const rows = [
      { id: 100, user_id, email: 'kay@example.com', ...UNVERIFIED },
      // The id is too large to be imported.
      { id: 3_000_000_000, user_id, email: 'kay@far.example', ...UNVERIFIED },
    ]
    return `delete from account_emailaddress where user_id = ${user_id};
      ${insertInto('account_emailaddress', rows)}`
  }
  const imported = await startImported('default', { sql })
  const { live, request, findUser } = imported
  const { exportUsers, rows } = wayBackTo(imported)
  const key = emailKey(100, live.settings.SECRET_KEY, Date.parse(live.generated_at))
  const press = { type: FORM, ...BROWSER }
  const { status } = await request.post(`/account/confirm/${key}`, 'answer=not-mine', press)
  expect(status).toBe(200)
  expect(await findUser('kay')).toMatchObject({ email: '' })
  expect(await exportUsers()).toMatchObject({ counts: { addresses: 1 }, kept: [] })
  expect(await rows('auth_user', 'username', 'kay')).toMatchObject([{ email: '' }])
  expect(await rows('account_emailaddress', 'email', 'kay@example.com')).toEqual([])
  expect(await rows('account_emailaddress', 'email', 'kay@far.example')).toHaveLength(1)
})
