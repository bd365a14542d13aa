import { withoutPassword } from '../../kernel/setting-kinds/addresses.ts'
import { type Kind, textual } from '../../kernel/setting-kinds/kind.ts'

const SQLITE = 'sqlite:'
const SQLITE_IN_MEMORY = ':memory:'

/** The file of an embedded database; `null` when it lives in memory or is a server. */
export function databaseFile(url: string): string | null {
  const file = isServerDatabase(url) ? SQLITE_IN_MEMORY : url.slice(SQLITE.length)
  return file === SQLITE_IN_MEMORY ? null : file
}

export const isServerDatabase = (url: string): boolean => !url.startsWith(SQLITE)

export const databaseUrl = connectionUrl(
  'sqlite:<file>, sqlite::memory: or postgres://user:password@host/database',
  // `sqlite://name` is refused: it looks relative, yet its slashes would make it absolute.
  (url) =>
    /^sqlite:(?!\/\/[^/])./.test(url) || (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)),
)

export const emailUrl = connectionUrl(
  'console:, file:<directory>, smtp://user:password@host:port or smtps://…',
  (url) =>
    url === 'console:' || /^file:./.test(url) || (/^smtps?:\/\/./.test(url) && URL.canParse(url)),
)

/** A URL that may hold a password: shown without it, and not repeated at all when refused. */
function connectionUrl(expected: string, accepts: (url: string) => boolean): Kind<string> {
  const read = (url: string) => (accepts(url) ? url : undefined)
  return { ...textual(expected, read, withoutPassword), secret: true }
}
