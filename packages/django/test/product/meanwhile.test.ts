import { expect, test } from 'vitest'
import { connectBeside, onPostgres, waitForWaiter } from '../../../server/test/support/postgres.ts'
import { startImported } from '../support/django.ts'
import { projectSql, startWith, vectors } from '../support/django-project.ts'
import { wayBackTo } from '../support/django-way-back.ts'

/* What changes while an import or an export runs, or while it is interrupted. */

const RUNNING = 'Another import or export is running'

test('what changes during an interruption is there when the import ends', async () => {
  const { source, importAgain, request, findUser } = await startWith(projectSql)
  const [ended, other] = ['s'.repeat(32), 'u'.repeat(32)]
  await source.change(`insert into django_session
    select '${other}', session_data, expire_date from django_session where session_key = '${ended}'`)
  // Users, superusers, conflicts and sessions were read.
  expect(await importAgain({ batches: 6 })).toMatchObject({
    isDone: false,
    counts: { added: 8, sessions: 2 },
  })
  await source.change(`
    update auth_user set first_name = 'New' where id = 7;
    update auth_user set is_active = 0 where id = 13;
    delete from auth_user where id = 8;
    delete from django_session where session_key = '${ended}'`)
  const { counts, ...report } = await importAgain()
  expect(report).toMatchObject({ isDone: true, isResumed: true, kept: 0 })
  expect(counts).toMatchObject({ added: 8, updated: 2, removed: 1, sessions: 2 })
  expect(counts).not.toHaveProperty('unchanged')
  expect(await findUser('ada')).toMatchObject({ first_name: 'New' })
  expect(await findUser('own')).toMatchObject({ is_active: 0 })
  await expect(findUser('kim@example.com')).rejects.toThrow('There is no user')
  const show = (sessionid: string) => request.get('user/', { cookies: { sessionid } })
  expect((await show(ended)).status).toBe(401)
  expect((await show(other)).body).toMatchObject({ pk: 7, first_name: 'New' })
  expect((await importAgain()).counts).toEqual({ unchanged: 7 })
})

test('a second look that is interrupted goes on, and counts nobody twice', async () => {
  const { importAgain } = await startWith(projectSql)
  await importAgain()
  await importAgain({ batches: 1 })
  for (const batches of [9, 3, 1]) {
    expect(await importAgain({ batches })).toMatchObject({ isDone: false, isResumed: true })
  }
  expect(await importAgain()).toMatchObject({ isDone: true, counts: { unchanged: 8 } })
})

test('a session that is opened during an import, with a renewed hash, comes with the next', async () => {
  const { source, importAgain, request } = await startWith(projectSql)
  const cookies = { sessionid: 's'.repeat(32) }
  const status = async () => (await request.get('user/', { cookies })).status
  await source.change(`update auth_user set password = '!old' where id = 7`)
  const renew = `update auth_user set password = '${vectors.passwordHash}' where id = 7`
  await importAgain({
    afterRead: async (table) => {
      if (table === 'django_session') await source.change(renew)
    },
  })
  expect(await status()).toBe(401)
  expect((await importAgain()).counts).toMatchObject({ updated: 1, sessions: 1 })
  expect(await status()).toBe(200)
  await importAgain()
  expect(await status()).toBe(200)
})

test('a session of a password that both sides have changed is imported', async () => {
  const { source, importAgain, request, administration, findUser } = await startWith(projectSql)
  await source.change(`update auth_user set password = '!old' where id = 7`)
  await importAgain()
  await administration.setPassword(await findUser('ada'), 'a-new-password-here')
  await source.change(`update auth_user set password = '${vectors.passwordHash}' where id = 7`)
  expect(await importAgain()).toMatchObject({ kept: 1, counts: { sessions: 1 } })
  const cookies = { sessionid: 's'.repeat(32) }
  expect((await request.get('user/', { cookies })).status).toBe(200)
})

test('an export stops an import that has read the project before, which then undoes nothing', async () => {
  const imported = await startImported('default')
  const { importAgain, createUser, administration, findUser, live } = imported
  const { exportUsers } = wayBackTo(imported)
  const email = live.users[0]?.email ?? ''
  await administration.setPassword(await findUser(email), 'a-new-password-here')
  const { password } = await findUser(email)
  const names = ['first', 'second']
  for (const [i, username] of names.entries()) {
    await createUser({ username, email: `${username}@example.com` })
    let read = 0
    const afterRead = async (table: string) => {
      // Then the page of all users, or the empty one after it, is out of date.
      if (table !== live.user_table || read++ !== i) return
      expect(await exportUsers()).toMatchObject({ kept: [], isDone: true })
    }
    await expect(importAgain({ afterRead })).rejects.toThrow(RUNNING)
    expect(await findUser(username)).toMatchObject({ username })
    expect((await findUser(email)).password).toBe(password)
  }
  expect(await importAgain()).toMatchObject({ isDone: true, isResumed: true, lost: 0, kept: 0 })
  for (const username of names) expect(await findUser(username)).toMatchObject({ username })
  expect((await findUser(email)).password).toBe(password)
})

test('an import that begins during an export stops it, and the next export goes on', async () => {
  const imported = await startImported('default')
  const { importAgain, createUser, live } = imported
  const { exportUsers } = wayBackTo(imported)
  await createUser({ username: 'fresh', email: 'fresh@example.com' })
  const importing = async () => void (await importAgain())
  await expect(exportUsers('write', importing)).rejects.toThrow(RUNNING)
  expect(await exportUsers()).toMatchObject({ counts: { added: 1 }, kept: [] })
  const { counts, lost, kept } = await importAgain()
  expect(counts).toEqual({ unchanged: live.users.length + 1 })
  expect({ lost, kept }).toEqual({ lost: 0, kept: 0 })
})

/** What a request here does at the moment at which the import has come to its user. */
const requests: Record<string, { sql: string; kept: number; rows: object[] }> = {
  'a change here': {
    sql: `update users set first_name = 'Here' where id = 7`,
    kept: 1,
    rows: [{ id: 7, first_name: 'Here' }],
  },
  'a deletion here': {
    sql: `update django_users set user_id = null where user_id = 7; delete from users where id = 7`,
    kept: 0,
    rows: [],
  },
}

// SQLite has one writer at a time.
test.runIf(onPostgres).each(Object.entries(requests))(
  'an import waits for %s, and does not undo it',
  async (_, { sql, kept, rows }) => {
    const started = await startWith(projectSql)
    const { source, importAgain, db } = started
    await importAgain()
    await source.change(`update auth_user set first_name = 'There' where id = 7;
      update authtoken_token set key = '${'b2'.repeat(20)}' where user_id = 7`)
    const operator = await connectBeside(started)
    await operator.query('begin')
    await operator.query(sql)
    const importing = importAgain()
    await waitForWaiter(operator, importing)
    await operator.query('commit')
    expect(await importing).toMatchObject({ isDone: true, kept })
    const users = db.selectFrom('users').select(['id', 'first_name']).where('id', '=', 7)
    expect(await users.execute()).toEqual(rows)
  },
)
