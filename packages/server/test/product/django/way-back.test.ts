import { describe, expect, test } from 'vitest'
import { openSource } from '../../../src/storage/django/source.ts'
import { readUserModel } from '../../../src/storage/django/user-model.ts'
import { type Db, handleOf } from '../../../src/storage/handle.ts'
import { changeKey } from '../../support/addresses.ts'
import { deployments, startTakenOver } from '../../support/django.ts'

const NEW = 'somebody@new.example'

type TakenOver = Awaited<ReturnType<typeof startTakenOver>>

/** Runs an export, as the command does, and reads the addresses of a user in the tables of Django. */
async function giveBack({ auth, source: { url }, live }: TakenOver, pk: number | string) {
  const source = openSource(url, { isWritable: true })
  try {
    const model = await readUserModel(source, live.user_table)
    const origin = { codeCount: 10, codeDigits: 8 }
    const watch = { note: () => {}, isStopping: () => false }
    const db = handleOf<Db>(auth.connection.patientDb)
    const report = await auth.services.giveBack(db, { source, model, origin, isDry: false }, watch)
    const key = source.isSqlite ? String(pk).replaceAll('-', '') : pk
    const rows = await source.rowsWith('account_emailaddress', 'user_id', [key])
    return { report, rows }
  } finally {
    await source.close()
  }
}

describe.each(deployments)('the way back to %s', (deployment) => {
  test('a new address replaces the former one, which no longer belongs to the user', async () => {
    const taken = await startTakenOver(deployment)
    const { live, request } = taken
    const user = live.users.find(
      (one) => one.is_active && one.token && one.password && one.email && !one.totp,
    )
    if (!user?.token || !user.password) throw new Error('Too few.')
    const { token, password } = user
    const wish = { email: NEW, password }
    expect((await request.post('email/change/', wish, { token })).status).toBe(200)
    const key = await changeKey(taken, NEW)
    expect((await request.post('email/change/confirm/', { key })).status).toBe(200)

    const { report, rows } = await giveBack(taken, user.pk)
    expect(report).toMatchObject({ counts: { addresses: 1 }, kept: [], isDone: true })
    const emails = rows.map(({ email }) => email)
    expect(emails).toContain(NEW)
    expect(emails).not.toContain(user.email.toLowerCase())
    expect(rows.filter(({ primary }) => Boolean(primary)).map(({ email }) => email)).toEqual([NEW])

    const { counts, kept } = await taken.bringOver()
    expect({ counts, kept }).toEqual({ counts: { unchanged: live.users.length }, kept: 0 })
  })
})
