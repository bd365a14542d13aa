import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { dialledHost, isLoopback } from '../../kernel/hosts.ts'
import { hostUrls } from '../../kernel/postgres-hosts.ts'
import { type Kind, textual, wrongValue } from '../../kernel/setting-kinds/kind.ts'
import { withoutPassword } from '../../kernel/setting-kinds/scalars.ts'

const SQLITE = 'sqlite:'
const SQLITE_IN_MEMORY = ':memory:'

/** The file of an embedded database. Null for a server, and for a database in memory. */
export function databaseFile(url: string): string | null {
  const file = isServerDatabase(url) ? SQLITE_IN_MEMORY : url.slice(SQLITE.length)
  return file === SQLITE_IN_MEMORY ? null : file
}

/** The URL with a relative file resolved in this folder. Other URLs stay the same. */
export function absoluteUrl(url: string, folder: string): string {
  const file = databaseFile(url)
  return file === null ? url : `${SQLITE}${resolve(folder, file)}`
}

export const isServerDatabase = (url: string): boolean => !url.startsWith(SQLITE)

/**
 * Whether two URLs lead to the same database, however they are spelt. Another user is another
 * database, since a role can have a schema of its own.
 */
export function isSameDatabase(one: string, other: string): boolean {
  const places = placesOf(one)
  return placesOf(other).some((place) => places.includes(place))
}

/** Where the database is, for each of its hosts. A database in memory is nowhere. */
function placesOf(url: string): string[] {
  const file = databaseFile(url)
  if (file !== null) return [existsSync(file) ? realpathSync(file) : resolve(file)]
  return hostUrls(url).map((one) => {
    const { username, hostname, port, pathname, searchParams } = new URL(one)
    // The driver prefers these parameters, and `options` can name a schema.
    const [host, ownPort, options] = ['host', 'port', 'options'].map((name) =>
      searchParams.get(name),
    )
    const name = (host || hostname).toLowerCase()
    const machine = name === '' || isLoopback(name) ? 'localhost' : name
    return [machine, ownPort || port || '5432', pathname, username, options].join(' ')
  })
}

export const databaseUrl = connectionUrl(
  'sqlite:<file>, sqlite::memory: or postgres://user:password@host/database, with several hosts as host:port,host:port',
  // `sqlite://name` is refused: it looks relative, but its slashes would make it absolute.
  (url) => /^sqlite:(?!\/\/[^/])./.test(url) || hostUrls(url).length > 0,
  expectedOfDatabase,
)

/** How other drivers name a schema. Ours ignores it, and would make its tables elsewhere. */
const SCHEMA_PARAMETERS = ['schema', 'search_path', 'currentSchema']

/** The driver reads only the digits at the start: 30s would be 30 milliseconds. */
const TIMEOUT_PARAMETERS = [
  'statement_timeout',
  'idle_in_transaction_session_timeout',
  'lock_timeout',
  'query_timeout',
]

/** What else the URL of a PostgreSQL must be. Null if nothing is wrong. */
function expectedOfDatabase(url: string): string | null {
  const [first] = hostUrls(url)
  if (first === undefined) return null
  if (!isDecodable(first)) return 'special characters that are percent-encoded (% as %25)'
  const { searchParams } = new URL(first)
  const schema = SCHEMA_PARAMETERS.find((one) => searchParams.has(one))
  if (schema) return `no parameter "${schema}": options=-c%20search_path%3D<schema> names a schema`
  const timeout = TIMEOUT_PARAMETERS.find((one) =>
    searchParams.getAll(one).some((value) => !/^\d+$/.test(value)),
  )
  return timeout ? `"${timeout}" in whole milliseconds, without a unit` : null
}

export const emailUrl = connectionUrl(
  'console:, file:<folder>, smtp://user:password@host:port or smtps://…',
  (url) =>
    url === 'console:' || /^file:./.test(url) || (/^smtps?:\/\/./.test(url) && URL.canParse(url)),
  expectedOfServer,
)

/** What else the URL of a mail server must be. Null if nothing is wrong. */
function expectedOfServer(url: string): string | null {
  if (!url.startsWith('smtp')) return null
  const { username, password, hostname, pathname, hash, searchParams } = new URL(url)
  // A path is the rest of a password with a slash: what precedes it looks like host and port.
  const isWhole = ['', '/'].includes(pathname) && hash === ''
  if (!isWhole || ![username, password].every(isDecodable))
    return 'no path, and a user name and a password whose special characters are percent-encoded (/ as %2F, % as %25)'
  if (dialledHost(hostname) === undefined) return 'a host name without special characters'
  const isKnown = ([name, value]: [string, string]) =>
    name === 'requireTLS' && /^(true|false)$/.test(value)
  return [...searchParams].every(isKnown)
    ? null
    : 'no parameter except requireTLS, which is true or false'
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/**
 * A URL that may contain a password. It is printed without the password, and never quoted when
 * refused. `expectedBesides` says what is wrong with one that is accepted so far, or null.
 */
function connectionUrl(
  expected: string,
  accepts: (url: string) => boolean,
  expectedBesides: (url: string) => string | null,
): Kind<string> {
  const read = (url: string) => (accepts(url) ? url : undefined)
  const kind = textual(expected, read, withoutPassword)
  return {
    ...kind,
    secret: true,
    parse(input) {
      const parsed = kind.parse(input)
      const besides = 'value' in parsed && expectedBesides(parsed.value)
      return besides ? wrongValue(input, besides) : parsed
    },
  }
}

type Urls = { readonly EMAIL_URL: string; readonly PUBLIC_URL: string }

/**
 * Whether the mailbox page shows the mails that the service prints. Only a service on loopback has
 * that page. The headers of a request cannot decide this, because a proxy may rewrite them.
 */
export const hasMailbox = ({ EMAIL_URL, PUBLIC_URL }: Urls): boolean =>
  EMAIL_URL === 'console:' && isLoopback(new URL(PUBLIC_URL).hostname)
