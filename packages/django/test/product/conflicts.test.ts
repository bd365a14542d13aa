import { expect, test } from 'vitest'
import { countRows } from '../../../server/test/support/dump.ts'
import { projectSql, startWith, vectors } from '../support/django-project.ts'

/** The names of three users differ only in case. */
const CROWDED = `
  create table auth_user (id char(32) primary key, password varchar(128), username varchar(150));
  insert into auth_user values ('00000000000000000000000000000001', '!a', 'kim');
  insert into auth_user values ('00000000000000000000000000000002', '!b', 'Kim');
  insert into auth_user values ('0000000000000000000000000000000a', '!c', 'KIM');
  insert into auth_user values ('${'ab'.repeat(16)}', '!d', 'sam');`

test('small UUIDs are UUIDs, and a conflict over a name deletes nobody', async () => {
  const { source, importAgain, db } = await startWith(CROWDED, { USER_PK: 'uuid' })
  expect(await importAgain()).toMatchObject({ counts: { added: 4 }, lost: 2 })
  const users = () => db.selectFrom('users').select(['uuid', 'username']).orderBy('uuid').execute()
  expect(await users()).toEqual([
    { uuid: '00000000-0000-0000-0000-000000000001', username: 'kim' },
    { uuid: '00000000-0000-0000-0000-000000000002', username: 'Kim2' },
    { uuid: '00000000-0000-0000-0000-00000000000a', username: 'KIM3' },
    { uuid: 'abababab-abab-abab-abab-abababababab', username: 'sam' },
  ])
  expect((await importAgain()).counts).toEqual({ unchanged: 4 })

  // A name that a later user gives up is there after one import.
  await source.change(`update auth_user set username = 'sam' where username = 'kim';
    update auth_user set username = 'tom' where id = '${'ab'.repeat(16)}'`)
  await importAgain()
  const names = (await users()).map(({ username }) => username)
  expect(names).toEqual(['sam', 'Kim', 'KIM3', 'tom'])
})

test('a project whose first key is -1 has numbers', async () => {
  const { source, importAgain, request, db } = await startWith(projectSql)
  await source.change(`insert into auth_user select -1, '!', null, 0, 'AnonymousUser', '', '', '',
    0, 1, date_joined, '' from auth_user where id = 7`)
  const { counts, findings } = await importAgain()
  expect(counts).toMatchObject({ added: 8, sessions: 1 })
  expect(findings).toContainEqual(expect.objectContaining({ pk: '-1', what: 'user' }))
  expect(await countRows(db, 'users')).toBe(8)
  const cookies = { sessionid: 's'.repeat(32) }
  expect((await request.get('user/', { cookies })).body).toMatchObject({ pk: 7 })
})

test('a user in a conflict who is deleted during an import is deleted by the next, and counted', async () => {
  const { source, importAgain, findUser } = await startWith(projectSql)
  let pages = 0
  await importAgain({
    // The second page of users is empty.
    afterRead: async (table) => {
      if (table === 'auth_user' && ++pages === 2)
        await source.change('delete from auth_user where id = 9')
    },
  })
  expect(await findUser('kim2')).toMatchObject({ id: 9 })
  expect((await importAgain()).counts).toEqual({ removed: 1, unchanged: 7 })
})

test('an unverified claim does not take a verified further address, and a proof does', async () => {
  const { source, importAgain, request, findUser } = await startWith(projectSql)
  await importAgain()
  const login = { email: 'second@example.com', password: vectors.password }
  const logIn = async () => (await request.post('login/', login)).status
  expect(await logIn()).toBe(200)

  await source.change(`update auth_user set email = 'second@example.com' where id = 10`)
  expect((await importAgain()).findings).toContainEqual({
    kind: 'lost',
    pk: '10',
    what: 'address',
    why: 'second@example.com belongs to another user',
  })
  expect(await findUser('first')).toMatchObject({ email: '' })
  expect(await logIn()).toBe(200)

  await source.change('update account_emailaddress set user_id = 10, "primary" = 1 where id = 2')
  await importAgain()
  expect(await findUser('second@example.com')).toMatchObject({ id: 10, email_verified: 1 })
  expect(await logIn()).toBe(400)
})
