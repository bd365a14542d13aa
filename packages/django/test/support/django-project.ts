import { readFileSync } from 'node:fs'
import { startAuth } from '../../../server/test/support/start-auth.ts'
import { djangoFile, importInto } from './django.ts'

/** Made by a program of another language, from the formats alone. */
export const vectors = JSON.parse(
  readFileSync(new URL('../../../server/test/crypto/django/vectors.json', import.meta.url), 'utf8'),
)

/** A service, and a small project on SQLite that can be imported into it. */
export async function startWith(sql: string, settings: Parameters<typeof startAuth>[0] = {}) {
  const source = await djangoFile(sql)
  const started = await startAuth(settings, { shared: true })
  const importAgain = (wish: Partial<Parameters<typeof importInto>[2]> = {}) =>
    importInto(started, source.url, {
      table: 'auth_user',
      secretKeys: [vectors.secretKey],
      ...wish,
    })
  return { ...started, source, importAgain }
}

/** The SQL of a small Django project on SQLite: a user for each thing that can go wrong. */
export const projectSql = `
create table auth_user (id integer primary key autoincrement, password varchar(128) not null,
  last_login datetime, is_superuser bool not null, username varchar(150) not null unique,
  first_name varchar(150) not null, last_name varchar(150) not null, email varchar(254) not null,
  is_staff bool not null, is_active bool not null, date_joined datetime not null,
  phone varchar(32) not null default '');
create table auth_group (id integer primary key, name varchar(150) not null);
create table auth_user_groups (id integer primary key, user_id integer, group_id integer);
create table account_emailaddress (id integer primary key autoincrement, verified bool not null,
  "primary" bool not null, user_id integer not null, email varchar(254) not null);
create table authtoken_token (key varchar(40) primary key, created datetime, user_id integer);
create table django_session (session_key varchar(40) primary key, session_data text, expire_date datetime);
create table mfa_authenticator (id integer primary key, type varchar(20), data text, user_id integer,
  created_at datetime, last_used_at datetime);
create table dj_rest_auth_mfa_authenticator (id integer primary key, type varchar(20), data text,
  user_id integer, created_at datetime, last_used_at datetime);
create table socialaccount_socialaccount (id integer primary key, provider varchar(200), uid varchar(191),
  last_login datetime, date_joined datetime, user_id integer, extra_data text);

${user(7, { username: 'ada', email: 'ada@example.com', password: vectors.passwordHash, phone: '+49 30 1' })}
${user(8, { username: 'Kim', email: 'kim@example.com' })}
${user(9, { username: 'kim', email: 'other@example.com' })}
${user(10, { username: 'first', email: 'shared@example.com' })}
${user(11, { username: 'owner', email: 'shared@example.com' })}
${user(12, { username: 'odd', email: 'odd@example.com', password: 'md5$salt$d41d8cd98f00b204e9800998ecf8427e' })}
${user(13, { username: 'own', email: 'own@example.com' })}
${user(14, { username: 'codes', email: 'codes@example.com' })}
insert into auth_group values (1, 'editors');
insert into auth_user_groups values (1, 7, 1);
${address(1, 7, 'ada@example.com', 1)}
${address(2, 7, 'second@example.com', 1)}
${address(3, 11, 'shared@example.com', 1)}
${address(4, 8, 'unproved@example.com', 0)}
insert into authtoken_token values ('${'a1'.repeat(20)}', '2029-01-01 00:00:00', 7);
insert into django_session values ('${'s'.repeat(32)}', '${vectors.sessions.plain}', '2030-01-10 00:00:00');
insert into django_session values ('${'t'.repeat(32)}', '${vectors.sessions.anonymous}', '2030-01-10 00:00:00');
insert into dj_rest_auth_mfa_authenticator values (1, 'totp', '{"secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP:signed"}', 13, '2029-01-01 00:00:00', null);
insert into dj_rest_auth_mfa_authenticator values (2, 'recovery_codes', '{"seed": "${'0f'.repeat(32)}", "used_mask": 1}', 13, '2029-01-01 00:00:00', null);
insert into mfa_authenticator values (1, 'recovery_codes', '{"migrated_codes": ["LEFT-0VER-c0de"]}', 14, '2029-01-01 00:00:00', null);
insert into socialaccount_socialaccount values (1, 'nowhere', 'ada', '2029-01-01 00:00:00', '2029-01-01 00:00:00', 7, '{}');
`

type Columns = { username: string; email: string; password?: string; phone?: string }

function user(id: number, { username, email, password = '!none', phone = '' }: Columns): string {
  return `insert into auth_user values (${id}, '${password}', null, 0, '${username}', '', '', '${email}', 0, 1, '2029-01-01 00:00:00.5', '${phone}');`
}

function address(id: number, userId: number, email: string, verified: 0 | 1): string {
  return `insert into account_emailaddress values (${id}, ${verified}, ${id === 2 ? 0 : 1}, ${userId}, '${email}');`
}
