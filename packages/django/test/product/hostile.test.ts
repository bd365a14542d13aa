import { expect, test } from 'vitest'
import { countRows } from '../../../server/test/support/dump.ts'
import { identityOf } from '../../../server/test/support/identities.ts'
import { codeOf } from '../../../server/test/support/mfa.ts'
import { onPostgres } from '../../../server/test/support/postgres.ts'
import { startAuth } from '../../../server/test/support/start-auth.ts'
import { djangoServer, importInto, newProject } from '../support/django.ts'
import { projectSql, startWith, vectors } from '../support/django-project.ts'
import { insertInto, tablesOf } from '../support/django-tables.ts'
import { PLAIN } from '../support/django-way-back.ts'

const WISH = { table: 'auth_user', secretKeys: [vectors.secretKey] }

test('of two imports at once one stops, and nothing is doubled', async () => {
  const { importAgain, db } = await startWith(projectSql)
  const runs = await Promise.allSettled([importAgain(), importAgain()])
  const failed = runs.flatMap((run) => (run.status === 'rejected' ? [run.reason] : []))
  for (const { message } of failed) expect(message).toContain('Another import or export is running')
  expect(failed.length).toBeLessThan(2)
  expect(await countRows(db, 'users')).toBe(8)
  expect(await countRows(db, 'django_users')).toBe(8)
  expect((await importAgain()).counts).toEqual({ unchanged: 8 })
})

test('a recovery code that was used there is void here, even if another one was used here', async () => {
  const { source, importAgain, request, auth, findUser } = await startWith(projectSql)
  await source.change(`update auth_user set password = '${vectors.passwordHash}' where id = 13`)
  await importAgain()
  const { id } = await findUser('own')
  const [, usedThere = '', usedHere = '', left = '', ...others] = [
    '',
    ...(await auth.services.mfa.unusedRecoveryCodes(id)),
  ]
  const verify = async (code: string) => {
    const given = { username: 'own', password: vectors.password }
    const { body } = await request.post('login/', given)
    const { ephemeral_token } = body as { ephemeral_token: string }
    return (await request.post('mfa/verify/', { ephemeral_token, code })).status
  }
  expect(await verify(usedHere)).toBe(200)
  // Codes 0 and 1 are used there.
  await source.change(
    `update dj_rest_auth_mfa_authenticator set data = json_set(data, '$.used_mask', 3) where id = 2`,
  )
  const { findings } = await importAgain()
  expect(findings).toContainEqual(expect.objectContaining({ kind: 'kept', pk: '13', what: 'mfa' }))
  expect(await verify(usedThere)).toBe(400)
  expect(await verify(usedHere)).toBe(400)
  expect(await verify(left)).toBe(200)
  expect(await auth.services.mfa.unusedRecoveryCodes(id)).toEqual(others)
})

test('a code of an app that was used here stays spent when the second factor changes there', async () => {
  const started = await startWith(projectSql)
  const { source, importAgain, request, clock, db } = started
  await source.change(`update auth_user set password = '${vectors.passwordHash}' where id = 13`)
  await importAgain()
  const verify = async (secret: string) => {
    const given = { username: 'own', password: vectors.password }
    const { body } = await request.post('login/', given)
    const { ephemeral_token } = body as { ephemeral_token: string }
    const code = codeOf(started, secret)
    return (await request.post('mfa/verify/', { ephemeral_token, code })).status
  }
  expect(await verify('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')).toBe(200)
  await source.change(
    `update dj_rest_auth_mfa_authenticator set data = json_set(data, '$.used_mask', 3) where id = 2`,
  )
  expect(await importAgain()).toMatchObject({ counts: { updated: 1 }, kept: 0 })
  expect(await verify('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')).toBe(400)
  const app = db.selectFrom('totp_authenticators').select('last_used_at').where('user_id', '=', 13)
  expect(await app.executeTakeFirst()).toEqual({ last_used_at: clock.now() })

  // The codes of another app are unspent.
  const other = 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU'
  await source.change(
    `update dj_rest_auth_mfa_authenticator set data = '{"secret": "${other}:signed"}' where id = 1`,
  )
  await importAgain()
  expect(await verify(other)).toBe(200)
})

test('recovery codes that were made here stay, whatever happens there', async () => {
  const { source, importAgain, auth, findUser } = await startWith(projectSql)
  await importAgain()
  const own = await findUser('own')
  const { mfa } = auth.services
  const codes = await mfa.regenerateRecoveryCodes(identityOf(own))
  await source.change(
    `update dj_rest_auth_mfa_authenticator set data = json_set(data, '$.used_mask', 1023) where id = 2`,
  )
  await importAgain()
  expect(await mfa.unusedRecoveryCodes(own.id)).toEqual(codes)
})

test('as many new codes as before are new codes, and the old ones stay void', async () => {
  const { source, importAgain, auth, findUser } = await startWith(projectSql)
  const useThere = (mask: number) =>
    source.change(
      `update dj_rest_auth_mfa_authenticator set data = json_set(data, '$.used_mask', ${mask}) where id = 2`,
    )
  await useThere(0)
  await importAgain()
  const own = await findUser('own')
  const { mfa } = auth.services
  const old = await mfa.unusedRecoveryCodes(own.id)
  const codes = await mfa.regenerateRecoveryCodes(identityOf(own))
  expect(codes).toHaveLength(old.length)
  await useThere(1)
  expect((await importAgain()).findings).toContainEqual(
    expect.objectContaining({ kind: 'kept', pk: '13', what: 'mfa' }),
  )
  expect(await mfa.unusedRecoveryCodes(own.id)).toEqual(codes)
})

test('recovery codes that are read as the same one are one code, and told', async () => {
  const { source, importAgain, auth } = await startWith(projectSql)
  const codes = JSON.stringify({ migrated_codes: ['LEFT-0VER-c0de', 'left-over-code', 'abcdefgh'] })
  await source.change(`
    insert into mfa_authenticator values (5, 'totp', '{"secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"}', 14, '2029-01-01 00:00:00', null);
    update mfa_authenticator set data = '${codes}' where id = 1`)
  const { counts, findings } = await importAgain()
  expect(counts).toMatchObject({ added: 8, mfa: 2 })
  expect(findings).toContainEqual({
    kind: 'lost',
    pk: '14',
    what: 'recovery codes',
    why: '1 of them are too short, too long or like another one',
  })
  expect(await auth.services.mfa.unusedRecoveryCodes(14)).toEqual(['left-over-code', 'abcdefgh'])
})

test('two accounts of one user at a provider that is not configured are told once', async () => {
  const { source, importAgain } = await startWith(projectSql)
  await source.change(
    `insert into socialaccount_socialaccount values (2, 'nowhere', 'ada2', '2029-01-01 00:00:00', '2029-01-01 00:00:00', 7, '{}')`,
  )
  const { counts, findings } = await importAgain()
  expect(counts).toMatchObject({ added: 8 })
  expect(findings.filter(({ pk }) => pk === '7').map(({ what }) => what)).toEqual([
    'account at nowhere',
  ])
})

test('accounts of both providers for X are accounts at twitter, one for each person', async () => {
  const APP = { client_id: 'id', secret: 'secret' }
  const { source, importAgain, db } = await startWith(projectSql, {
    SOCIALACCOUNT: { PROVIDERS: { twitter: { APP } } },
  })
  const at = `'2029-01-01 00:00:00', '2029-01-01 00:00:00'`
  await source.change(`
    insert into socialaccount_socialaccount values (2, 'twitter_oauth2', '22', ${at}, 8, '{}');
    insert into socialaccount_socialaccount values (3, 'twitter', '22', ${at}, 8, '{}');
    insert into socialaccount_socialaccount values (4, 'twitter_oauth2', '23', ${at}, 9, '{}')`)
  const { findings } = await importAgain()
  expect(findings.filter(({ what }) => what?.includes('twitter'))).toEqual([])
  const accounts = db.selectFrom('social_accounts').select(['user_id', 'provider', 'subject'])
  expect(await accounts.orderBy('user_id').execute()).toEqual([
    { user_id: 8, provider: 'twitter', subject: '22' },
    { user_id: 9, provider: 'twitter', subject: '23' },
  ])
})

test('a name that was taken comes with a later import', async () => {
  const { source, importAgain, findUser } = await startWith(projectSql)
  await importAgain()
  await source.change(`update auth_user set username = 'x' where id = 10`)
  await source.change(`update auth_user set username = 'first' where id = 7`)
  await importAgain()
  expect(await findUser('x')).toMatchObject({ id: 10 })
  expect((await importAgain()).lost).toBe(5)
  expect(await findUser('first')).toMatchObject({ id: 7 })
})

test('an API token of another form is told, and does not log in', async () => {
  const { source, importAgain, request, db } = await startWith(projectSql)
  const key = 'not-a-key-of-rest-framework'
  await source.change(`update authtoken_token set key = '${key}' where user_id = 7;
    update auth_user set last_login = '2029-06-01 00:00:00' where id = 7`)
  const { findings, counts } = await importAgain()
  const lost = { kind: 'lost', pk: '7', what: 'API token' }
  expect(counts).not.toHaveProperty('token')
  expect(counts).toMatchObject({ last_login: 1 })
  expect(findings).toContainEqual(expect.objectContaining(lost))
  expect((await request.get('user/', { token: key })).status).toBe(401)
  expect(await countRows(db, 'tokens')).toBe(0)
})

test('a user model with many columns is imported', async () => {
  const names = Array.from({ length: 300 }, (_, i) => `c${i}`)
  const { importAgain } = await startWith(
    `create table auth_user (id integer primary key, password text, username text, ${names.join(', ')});
     insert into auth_user (id, password, username) values (1, '!', 'wide');`,
  )
  expect((await importAgain()).counts).toMatchObject({ added: 1 })
})

test('a project with nothing but users is imported, odd values included', async () => {
  const { importAgain, findUser } = await startWith(`
    create table auth_user (id integer primary key, password varchar(128), username varchar(150));
    insert into auth_user values (1, '', 'plain');
    insert into auth_user values (2, null, '');
    insert into auth_user values (3, '!', 'nul' || char(0) || 'l');
    insert into auth_user values (4, '${'x'.repeat(5000)}', '${'long'.repeat(100)}');
    insert into auth_user values (3000000000, '!', 'far');`)
  const { counts, findings } = await importAgain()
  expect(counts).toMatchObject({ added: 4 })
  expect(findings).toContainEqual(
    expect.objectContaining({
      pk: '3000000000',
      what: 'user',
      why: expect.stringContaining('2147483647'),
    }),
  )
  expect(await findUser('plain')).toMatchObject({ id: 1, is_active: 1, password: '!' })
  expect((await importAgain()).counts).toEqual({ unchanged: 4 })
})

test('ids above 2^53 are read exactly, and the import comes to its end', async () => {
  const [far, farther] = ['9007199254740993', '1234567890123456789']
  const users = [1, 2, 3].map((id) => ({ ...PLAIN, id, username: `user${id}`, email: '' }))
  const source = await newProject(`${tablesOf('default')} ${insertInto('auth_user', users)}
    update auth_user set id = ${far} where id = 2;
    update auth_user set id = ${farther} where id = 3;
    insert into auth_group (id, name) values (${far}, 'editors');
    insert into auth_user_groups (user_id, group_id) values (1, ${far});
    insert into token_blacklist_outstandingtoken (id, user_id, jti, token, expires_at)
      values (${far}, 1, 'jti', 'token', '2099-01-01 00:00:00');
    insert into token_blacklist_blacklistedtoken (id, blacklisted_at, token_id)
      values (${far}, '2029-01-01 00:00:00', ${far});`)
  const started = await startAuth()
  const report = await importInto(started, source.url, { ...WISH, batches: 20 })
  expect(report).toMatchObject({ isDone: true, counts: { added: 1, blacklisted: 1 } })
  expect(report.findings.map(({ pk }) => pk).toSorted()).toEqual([farther, far])
  expect(await started.findUser('user1')).toMatchObject({ group_names: '["editors"]' })
})

test('texts that are not valid UTF-8 are reported, and everything else is imported', async () => {
  const { source, importAgain, findUser, request } = await startWith(projectSql)
  const broken = `cast(x'41ff62' as text)`
  await source.change(`
    update auth_user set first_name = ${broken}, phone = ${broken} where id = 7;
    update account_emailaddress set email = ${broken} where id = 2;
    insert into django_session values ('u', ${broken}, '2030-01-10 00:00:00');`)
  const { counts, findings } = await importAgain()
  expect(counts).toMatchObject({ added: 8, sessions: 1 })
  const damaged = findings.filter(({ why }) => why.includes('UTF-8'))
  expect(damaged.map(({ pk, what }) => [pk, what])).toEqual([
    ['7', 'email'],
    ['7', 'first_name'],
    ['7', 'phone'],
  ])
  expect(await findUser('ada')).toMatchObject({ first_name: 'A\ufffdb', email: 'ada@example.com' })
  const cookies = { sessionid: 's'.repeat(32) }
  expect((await request.get('user/', { cookies })).body).toMatchObject({ pk: 7 })

  await source.change(`update auth_user set first_name = 'Ada' where id = 7`)
  expect((await importAgain()).findings.map(({ what }) => what)).not.toContain('first_name')
  expect(await findUser('ada')).toMatchObject({ first_name: 'Ada' })
  await source.change(`update django_session set session_key = ${broken} where session_key = 'u'`)
  await expect(importAgain()).rejects.toThrow(
    'session_key in the table django_session is not valid',
  )
})

test('a pk that somebody here has already is told, and nobody is overwritten', async () => {
  const { importAgain, createUser, findUser } = await startWith(
    `create table auth_user (id integer primary key, password text, username text, email text);
     insert into auth_user values (1, '!', 'theirs', 'theirs@example.com');
     insert into auth_user values (2, '!', 'other', 'ours@example.com');`,
  )
  await createUser({ username: 'ours', email: 'ours@example.com' })
  const { findings } = await importAgain()
  expect(findings.map(({ pk, why }) => [pk, why])).toEqual([
    ['1', 'another user here has this pk'],
    ['2', 'ours@example.com belongs to another user'],
  ])
  expect(await findUser('ours')).toMatchObject({ id: 1, email: 'ours@example.com' })
})

test.runIf(onPostgres)('a schema, a name in quotes and times without a zone', async () => {
  const server = await djangoServer(`
    create schema app;
    create table app."My Users" (id bigint generated by default as identity primary key,
      password text not null, username text not null, email text not null,
      date_joined timestamp not null);
    insert into app."My Users" (password, username, email, date_joined)
      values ('!', 'ada', 'ada@example.com', '2026-01-02 03:04:05.678901');`)
  const started = await startAuth()
  const url = `${server.url}?options=-csearch_path%3Dapp`
  const report = await importInto(started, url, { ...WISH, table: 'My Users' })
  expect(report.counts).toMatchObject({ added: 1 })
  const ada = await started.findUser('ada')
  expect(new Date(ada.joined_at).toISOString()).toBe('2026-01-02T03:04:05.678Z')
})
