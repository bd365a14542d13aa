import { describe, expect, test } from 'vitest'
import type { Client } from '../../../server/test/support/client.ts'
import { countRows, dump } from '../../../server/test/support/dump.ts'
import { deployments, startImported } from '../support/django.ts'
import { insertInto, keyIn } from '../support/django-tables.ts'

describe.each(deployments)('a second import of %s', (deployment) => {
  test('imports nothing twice', async () => {
    const { importAgain, db, live } = await startImported(deployment)
    const tables = ['users', 'tokens', 'logins', 'passkeys', 'recovery_codes', 'social_accounts']
    const count = () => Promise.all(tables.map((table) => countRows(db, table as 'users')))
    const before = await count()
    const { counts } = await importAgain()
    expect(counts).toEqual({ unchanged: live.users.length })
    expect(await count()).toEqual(before)
  })

  test('finds no change in rows that were only written again', async () => {
    const { live, source, importAgain } = await startImported(deployment)
    const [first] = live.users
    const pk = keyIn(first?.pk ?? 0)
    const further = ['one', 'two'].map((name) => ({
      email: `${name}@further.example`,
      user_id: pk,
    }))
    const flags = { verified: true, primary: false }
    const rows = further.map((row) => ({ ...row, ...flags }))
    await source.change(insertInto('account_emailaddress', rows))
    expect((await importAgain()).counts).toMatchObject({ updated: 1 })
    // PostgreSQL returns this row after the others from now on.
    await source.change(
      `update account_emailaddress set verified = verified where email = 'one@further.example'`,
    )
    expect((await importAgain()).counts).toEqual({ unchanged: live.users.length })
  })

  test('imports what changed there, and keeps what changed here', async () => {
    const { live, source, importAgain, request } = await startImported(deployment)
    const { user_table: table } = live
    const holders = live.users.filter(({ token, is_active }) => token && is_active)
    const [renamed, logged, both] = holders
    const session = live.users.flatMap(({ sessions }) => sessions).find(({ works }) => works)
    if (!renamed?.token || !logged?.token || !both?.token || !session) throw new Error('Too few.')
    await source.change(`update ${table} set first_name = 'There' where id = ${key(renamed.pk)}`)
    await source.change(`delete from authtoken_token where user_id = ${key(logged.pk)}`)
    await request.call('PATCH', 'user/', { first_name: 'Here' }, { token: both.token })
    await source.change(`update ${table} set first_name = 'There' where id = ${key(both.pk)}`)
    await source.change(`delete from django_session where session_key = '${session.sessionid}'`)

    const { counts, kept, findings } = await importAgain()
    expect(counts).toMatchObject({ updated: 2 })
    expect(kept).toBe(1)
    expect(findings).toContainEqual({
      kind: 'kept',
      pk: String(both.pk),
      what: 'profile',
      why: 'it has changed there and here; the change here was kept',
    })
    const show = (token: string) => request.get('user/', { token })
    expect((await show(renamed.token)).body).toMatchObject({ first_name: 'There' })
    expect((await show(logged.token)).status).toBe(401)
    expect((await show(both.token)).body).toMatchObject({ first_name: 'Here' })
    const { sessionid } = session
    expect((await request.get('user/', { cookies: { sessionid } })).status).toBe(401)
  })

  test('does not bring back what was ended here', async () => {
    const { live, importAgain, request } = await startImported(deployment)
    const holder = live.users.find(({ token, is_active }) => token && is_active)
    const session = live.users.flatMap(({ sessions }) => sessions).find(({ works }) => works)
    const token = holder?.token ?? ''
    const cookies = { sessionid: session?.sessionid ?? '' }
    await request.post('logout/', {}, { token })
    await logOutWithCookies(request, cookies)
    await importAgain()
    expect((await request.get('user/', { token })).status).toBe(401)
    expect((await request.get('user/', { cookies })).status).toBe(401)
  })

  test('continues where it was interrupted', async () => {
    const { live, importAgain, db } = await startImported(deployment)
    await db.deleteFrom('users').execute()
    await db.deleteFrom('django_users').execute()
    await db.deleteFrom('django_sessions').execute()
    expect(await importAgain({ batches: 1 })).toMatchObject({ isDone: false })
    const report = await importAgain()
    expect(report).toMatchObject({ isDone: true, isResumed: true })
    expect(report.counts).toMatchObject({ added: live.users.length })
  })

  test('changes nothing in a dry run', async () => {
    const { source, live, importAgain, db } = await startImported(deployment)
    const [first] = live.users
    await source.change(
      `update ${live.user_table} set first_name = 'There' where id = ${key(first?.pk ?? 0)}`,
    )
    const before = await dump(db)
    const report = await importAgain({ isDry: true })
    expect(report).toMatchObject({ isDone: true, counts: { updated: 1 } })
    expect(await dump(db)).toEqual(before)
  })

  /** As a page does that Django has served: with the token of its cookie in the header. */
  const logOutWithCookies = async (request: Client, cookies: Record<string, string>) => {
    const csrftoken = 'Ab3'.repeat(10).padEnd(32, 'x')
    const headers = { 'x-csrftoken': csrftoken }
    const foreign = { 'x-csrftoken': csrftoken.toLowerCase() }
    const leave = (sent: Record<string, string>) =>
      request.post('logout/', {}, { cookies: { ...cookies, csrftoken }, headers: sent })
    expect((await leave(foreign)).status).toBe(403)
    expect((await leave(headers)).status).toBe(200)
  }

  /** As SQL: UUIDs have no dashes on SQLite, and PostgreSQL takes them so, too. */
  const key = (pk: number | string) =>
    typeof pk === 'number' ? String(pk) : `'${pk.replaceAll('-', '')}'`
})
