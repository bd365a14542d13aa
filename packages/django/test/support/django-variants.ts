import { onPostgres } from '../../../server/test/support/postgres.ts'
import type { Live } from './django-live.ts'
import { sessionData } from './django-signed.ts'

/*
 * SQL that makes another project of a stored one. What it changes of what is true of the users, it
 * writes into the list, too.
 */

const rename = (table: string, name: string): string => `alter table ${table} rename to ${name};`

export const renamedTable = ({ user_table: table }: Live): string =>
  rename(table, 'members_account') + rename(`${table}_groups`, 'members_account_groups')

/** The custom model has no name for users. */
export const renamedColumns = ({ user_table: table, variant }: Live): string =>
  (variant === 'default' ? `alter table ${table} rename column username to handle;` : '') +
  `alter table ${table} rename column email to mail;`

export const oddColumns = ({ user_table: table }: Live): string =>
  `alter table ${table} add column "select" text default 'odd';
   alter table ${table} add column "löwe" integer null;
   alter table account_emailaddress add column note text;`

export const without =
  (...tables: string[]) =>
  (_: Live): string =>
    tables.map((table) => `drop table ${table} ${onPostgres ? 'cascade' : ''};`).join('\n')

/** Signed as the project does, for a user who cannot be there. */
export function alienSessions(live: Live): string {
  const { SECRET_KEY } = live.settings
  const aliens = [
    ['a pk of another kind', live.variant === 'custom' ? '5' : crypto.randomUUID(), SECRET_KEY],
    ['a pk that is none', 'x', SECRET_KEY],
    ['a pk that is too large', '99999999999999999999', SECRET_KEY],
    ['another key', String(live.users[0]?.pk), 'another key'],
  ] as const
  return aliens
    .map(([why, userId, key], i) => {
      const sessionid = `alien${i}`.padEnd(32, 'x')
      live.other_sessions.push({ sessionid, why })
      return insertSession(sessionid, dataOf(userId, key), '2099-01-01 00:00:00')
    })
    .join('\n')
}

const insertSession = (key: string, data: string, until: string): string =>
  `insert into django_session (session_key, session_data, expire_date)
   values ('${key}', '${data}', '${until}');`

const dataOf = (pk: string, secretKey: string): string =>
  sessionData({ pk, passwordHash: 'not known' }, secretKey)

const TIMES = [
  ['django_session', 'expire_date'],
  ['token_blacklist_outstandingtoken', 'expires_at'],
  ['authtoken_token', 'created'],
  ['mfa_authenticator', 'created_at'],
  ['mfa_authenticator', 'last_used_at'],
] as const

const timesOf = ({ user_table: table }: Live) => [
  ...TIMES,
  [table, 'last_login'] as const,
  [table, 'date_joined'] as const,
]

/** As with `USE_TZ = False` and `TIME_ZONE = 'Asia/Kolkata'`, which is half an hour beside the others. */
export function localTimes(live: Live): string {
  const moved = timesOf(live).map(
    ([table, column]) =>
      `update ${table} set ${column} = strftime('%Y-%m-%d %H:%M:%f', ${column}, '+330 minutes');`,
  )
  const session = live.users.flatMap(({ sessions }) => sessions).find(({ works }) => works)
  if (!session) throw new Error('Nobody has a session.')
  session.works = false
  const { sessionid } = session
  live.other_sessions.push({ sessionid, why: 'expired an hour ago' })
  const hourAgo = new Date(Date.parse(live.generated_at) + 4.5 * 3600_000).toISOString()
  return `${moved.join('\n')}
    update django_session set expire_date = '${hourAgo.slice(0, 19).replace('T', ' ')}'
    where session_key = '${sessionid}';`
}

export const withOffsets = (live: Live): string =>
  timesOf(live)
    .map(
      ([table, column]) =>
        `update ${table} set ${column} = strftime('%Y-%m-%dT%H:%M:%S', ${column}, '+120 minutes') || '+02:00'
         where ${column} is not null;`,
    )
    .join('\n')

const OWNERS = [
  ['account_emailaddress', 'user_id'],
  ['authtoken_token', 'user_id'],
  ['mfa_authenticator', 'user_id'],
  ['socialaccount_socialaccount', 'user_id'],
  ['token_blacklist_outstandingtoken', 'user_id'],
  ['people_person_groups', 'person_id'],
  ['people_person', 'id'],
] as const

const dashed = (column: string): string =>
  [
    [1, 8],
    [9, 4],
    [13, 4],
    [17, 4],
    [21, 12],
  ]
    .map(([from, length]) => `substr(${column}, ${from}, ${length})`)
    .join(` || '-' || `)

export const withDashes = (_: Live): string =>
  OWNERS.map(([table, column]) => `update ${table} set ${column} = ${dashed(column)};`).join('\n')
