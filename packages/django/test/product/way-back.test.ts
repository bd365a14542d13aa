import { describe, expect, test } from 'vitest'
import { changeKey } from '../../../server/test/support/addresses.ts'
import { deployments, startImported } from '../support/django.ts'
import { keyIn } from '../support/django-tables.ts'
import { wayBackTo } from '../support/django-way-back.ts'

const NEW = 'somebody@new.example'

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
