import { expect, test } from 'vitest'
import { projectSql, startWith } from '../support/django-project.ts'

const GRACE = { operator: 'grace', host: 'console' }

/** A project, and the audit of the service that imports it, oldest first. */
async function startWithAudit(...given: Parameters<typeof startWith>) {
  const started = await startWith(...given)
  const { db, auth } = started
  const rows = async () => {
    const found = await db.selectFrom('audit_events').selectAll().orderBy('id').execute()
    await db.deleteFrom('audit_events').execute()
    return found.map(({ user_id, event, operator_name, details }) => {
      expect({ event, operator_name }).toEqual({ event, operator_name: 'grace' })
      const { operator, host, ...rest } = JSON.parse(details)
      expect({ operator, host }).toEqual(GRACE)
      return [user_id, event, rest]
    })
  }
  return { ...started, auth, rows }
}

test('an import is in the audit: its counts, and a row for each user whom it changes', async () => {
  const { source, importAgain, rows, db } = await startWithAudit(projectSql)
  const { counts } = await importAgain()
  expect(counts).toMatchObject({ added: 8 })
  const first = await rows()
  expect(first.filter(([userId]) => userId === 0)).toEqual([
    [0, 'import_started', {}],
    [0, 'import_finished', counts],
  ])

  await source.change(`
    update auth_user set is_superuser = 1, is_staff = 1 where id = 8;
    update auth_user set is_active = 0, first_name = 'Ada' where id = 7;
    update auth_user set email = 'evil@example.com' where id = 13;
    update auth_user set password = '!x' where id = 14;
    update auth_user set last_login = '2030-01-01 00:00:00' where id = 9;
    delete from auth_user where id = 10`)
  const by = 'import'
  expect((await importAgain()).counts).toMatchObject({ updated: 5, removed: 1 })
  expect(await rows()).toEqual([
    [0, 'import_started', {}],
    [7, 'user_changed', { by, fields: 'profile,is_active' }],
    [8, 'user_changed', { by, fields: 'is_staff,is_superuser' }],
    [13, 'user_changed', { by, fields: 'addresses' }],
    [14, 'user_changed', { by, fields: 'password' }],
    [10, 'user_deleted', { by }],
    [0, 'import_finished', { unchanged: 2, updated: 5, removed: 1 }],
  ])
  expect(await db.selectFrom('users').select('id').where('is_superuser', '=', 1).execute()).toEqual(
    [{ id: 8 }],
  )

  // What could not be imported is tried again each time, which changes nothing.
  await importAgain()
  expect((await rows()).map(([, event]) => event)).toEqual(['import_started', 'import_finished'])
})

test('an interrupted import records each change once, and each start', async () => {
  const { source, importAgain, rows } = await startWithAudit(projectSql)
  await importAgain()
  await rows()
  await source.change('update auth_user set is_superuser = 1 where id = 8')
  const events = async () => (await rows()).map(([userId, event]) => [userId, event])
  await importAgain({ batches: 1 })
  expect(await events()).toEqual([
    [0, 'import_started'],
    [8, 'user_changed'],
  ])
  await importAgain({ batches: 5 })
  expect(await events()).toEqual([[0, 'import_started']])
  const { counts } = await importAgain()
  expect(counts).toMatchObject({ updated: 1 })
  expect(await rows()).toEqual([
    [0, 'import_started', {}],
    [0, 'import_finished', counts],
  ])
})

test('the deletion of a user with a UUID is found by that UUID', async () => {
  const { source, importAgain, auth } = await startWithAudit(
    `create table auth_user (id char(32) primary key, password varchar(128), username varchar(150));
    insert into auth_user values ('${'0'.repeat(31)}1', '!', 'kim');
    insert into auth_user values ('${'0'.repeat(31)}2', '!', 'jo');`,
    { USER_PK: 'uuid' },
  )
  await importAgain()
  await source.change(`delete from auth_user where username = 'jo'`)
  await importAgain()
  const user = '00000000-0000-0000-0000-000000000002'
  const actor = { kind: 'host', name: 'test', may: 'all' } as const
  expect(await auth.services.operations.call(actor, 'audit.find', { user })).toMatchObject({
    results: [{ event: 'user_deleted', user, operator: { kind: 'cli', name: 'grace' } }],
  })
})
