import { expect, test } from 'vitest'
import { ACTOR } from '../../../server/test/support/administration.ts'
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

const TABLE =
  'create table auth_user (id integer primary key, password text, username text, email text);'

const named = (...names: string[]): string =>
  names.map((name, i) => `insert into auth_user values (${i + 1}, '!', '${name}', '');`).join('\n')

test('the number of a twin makes no name that another user of the project has', async () => {
  const { importAgain, db } = await startWith(TABLE + named('kim', 'Kim', 'kim2', 'KIM3'))
  await importAgain()
  const users = await db.selectFrom('users').select('username').orderBy('id').execute()
  expect(users.map(({ username }) => username)).toEqual(['kim', 'Kim4', 'kim2', 'KIM3'])
})

test('a name that is made from an address is not one that another user has', async () => {
  const { importAgain, findUser } = await startWith(`${TABLE}
    insert into auth_user values (1, '!', '', 'kim@example.com');
    insert into auth_user values (2, '!', 'Kim', '')`)
  expect(await importAgain()).toMatchObject({ counts: { added: 2 }, lost: 0 })
  expect(await findUser('Kim')).toMatchObject({ id: 2 })
  expect(await findUser('kim@example.com')).toMatchObject({ username: 'kim2' })
})

test('names that are made leave alone those of users who come in a later batch', async () => {
  const { importAgain, db } = await startWith(`${TABLE} ${named('kim', 'Kim')}
    insert into auth_user values (3, '!', '', 'mel@example.com');
    with recursive ids (id) as (select 1001 union all select id + 1 from ids where id < 1600)
      insert into auth_user select id, '!', 'filler' || id, '' from ids;
    insert into auth_user values (2001, '!', 'kim2', '');
    insert into auth_user values (2002, '!', 'mel', '')`)
  expect(await importAgain()).toMatchObject({ counts: { added: 605 }, lost: 1 })
  const users = await db.selectFrom('users').select(['id', 'username']).orderBy('id').execute()
  const names = users.filter(({ id }) => id < 1001 || id > 2000).map(({ username }) => username)
  expect(names).toEqual(['kim', 'Kim3', 'mel2', 'kim2', 'mel'])
})

test('many users with one name get numbers that are free, from batch to batch', async () => {
  const taken = Array.from({ length: 60 }, (_, i) => `user${i + 10}`)
  const { importAgain, db } = await startWith(`${TABLE} ${named(...taken)}
    with recursive ids (id) as (select 1001 union all select id + 1 from ids where id < 2100)
      insert into auth_user select id, '!', '', 'user@' || id || '.example' from ids`)
  expect(await importAgain()).toMatchObject({ counts: { added: 1160 }, lost: 0 })
  const users = await db.selectFrom('users').select('username').execute()
  const numbers = Array.from({ length: 1159 }, (_, i) => `user${i + 2}`)
  expect(new Set(users.map(({ username }) => username))).toEqual(new Set(['user', ...numbers]))
})

test('a twin whose name is long keeps the name with the number', async () => {
  const name = 'long'.repeat(37)
  const { importAgain, findUser } = await startWith(TABLE + named(name, name.toUpperCase()))
  const numbered = `${name.slice(0, 143).toUpperCase()}2`
  for (const _ of [1, 2, 3]) {
    await importAgain()
    expect(await findUser(numbered)).toMatchObject({ id: 2 })
  }
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

test.each(['at once', 'later'])(
  'a new user who comes %s does not take a verified further address by a claim',
  async (when) => {
    const { source, importAgain, request, findUser } = await startWith(projectSql)
    if (when === 'later') await importAgain({ address: 'keep-first' })
    await source.change(`insert into auth_user select 15, '!', null, 0, 'claim', '', '',
      'second@example.com', 0, 1, date_joined, '' from auth_user where id = 7`)
    expect((await importAgain({ address: 'keep-first' })).findings).toContainEqual({
      kind: 'lost',
      pk: '15',
      what: 'address',
      why: 'second@example.com belongs to another user',
    })
    expect(await findUser('claim')).toMatchObject({ id: 15, email: '' })
    const login = { email: 'second@example.com', password: vectors.password }
    expect((await request.post('login/', login)).status).toBe(200)
  },
)

test('a blank address of the project is nobody’s address', async () => {
  const { source, importAgain, auth, findUser } = await startWith(projectSql)
  await source.change(`insert into account_emailaddress values (9, 1, 0, 8, '')`)
  await importAgain()
  const { operations } = auth.services
  const { id } = await findUser('ada')
  await operations.call(ACTOR, 'users.create', { username: 'new', email: '' })
  await operations.call(ACTOR, 'users.update', { pk: id, email: '' })
  expect(await findUser('new')).toMatchObject({ email: '' })
  expect(await findUser('ada')).toMatchObject({ email: '' })
})

test('a unique value that the last superuser gives up is there after one import', async () => {
  const phone = { type: 'string', unique: true } as const
  const { source, importAgain, findUser } = await startWith(projectSql, { USER_FIELDS: { phone } })
  await source.change(`update auth_user set is_superuser = 1, phone = '1' where id = 8`)
  await importAgain()
  await source.change(`update auth_user set is_superuser = 0, phone = '' where id = 8;
    update auth_user set is_superuser = 1, phone = '1' where id = 12`)
  const { findings } = await importAgain()
  expect(findings.map(({ what }) => what)).not.toContain('phone')
  expect(await findUser('odd')).toMatchObject({ is_superuser: 1 })
})

test('a unique value of another user is not shown, and arrives when it is free', async () => {
  const phone = { type: 'string', unique: true } as const
  const started = await startWith(projectSql, { USER_FIELDS: { phone, nick: { type: 'string' } } })
  const { source, importAgain, findUser } = started
  await source.change(`alter table auth_user add column nick text not null default 'x';
    update auth_user set phone = '1' where id in (8, 12)`)
  const extraOf = async (name: string) => JSON.parse((await findUser(name)).extra)
  for (let times = 0; times < 2; times++) {
    const { findings } = await importAgain()
    expect(findings).toContainEqual({
      kind: 'lost',
      pk: '12',
      what: 'phone',
      why: 'another user has this value, which must be unique',
    })
    expect(await extraOf('Kim')).toEqual({ phone: '1', nick: 'x' })
    expect(await extraOf('odd')).toEqual({ phone: null, nick: 'x' })
  }
  await source.change(`update auth_user set phone = '' where id = 8`)
  await importAgain()
  expect(await extraOf('odd')).toEqual({ phone: '1', nick: 'x' })
})
