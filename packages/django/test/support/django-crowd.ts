import { sessionData } from './django-signed.ts'

/** The key of a project that exists only in tests. */
export const CROWD_KEY = 'the secret key of a project that was made up'

const HASH = 'pbkdf2_sha256$1$salt$mEgRBSHPkKhOYyj9JEqM3FVCIYPu9ENEU4z0QFFPCxc='

export const tokenOf = (n: number): string => n.toString(16).padStart(40, '0')
export const sessionOf = (n: number): string => `s${n}`.padEnd(32, 'x')

/** The SQL of a Django project with so many users, each with a token, a session and a dead JWT. */
export function crowdSql(users: number): string {
  const ids = Array.from({ length: users }, (_, i) => i + 1)
  const insert = (table: string, row: (n: number) => string): string =>
    `insert into ${table} values ${ids.map((n) => `(${row(n)})`).join(', ')};`
  const then = `'2026-01-02 03:04:05'`
  const later = `'2099-01-02 03:04:05'`
  return `
create table auth_user (id integer primary key, password varchar(128), username varchar(150),
  email varchar(254), is_active bool);
create table account_emailaddress (id integer primary key, verified bool, "primary" bool,
  user_id integer, email varchar(254));
create index addresses_of_user on account_emailaddress (user_id);
create table authtoken_token (key varchar(40) primary key, created timestamp with time zone,
  user_id integer unique);
create table django_session (session_key varchar(40) primary key, session_data text,
  expire_date timestamp with time zone);
create table token_blacklist_outstandingtoken (id integer primary key, user_id integer,
  jti varchar(255), expires_at timestamp with time zone);
create table token_blacklist_blacklistedtoken (id integer primary key, token_id integer);
${insert('auth_user', (n) => `${n}, '${HASH}', 'user${n}', 'user${n}@example.com', true`)}
${insert('account_emailaddress', (n) => `${n}, true, true, ${n}, 'user${n}@example.com'`)}
${insert('authtoken_token', (n) => `'${tokenOf(n)}', ${then}, ${n}`)}
${insert('django_session', (n) => `'${sessionOf(n)}', '${signedSession(n)}', ${later}`)}
${insert('token_blacklist_outstandingtoken', (n) => `${n}, ${n}, 'jti${n}', ${later}`)}
${insert('token_blacklist_blacklistedtoken', (n) => `${n}, ${n}`)}
`
}

const signedSession = (pk: number): string => sessionData({ pk, passwordHash: HASH }, CROWD_KEY)
