import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Io } from '../../../server/src/cli/io.ts'
import { refusal, usageRefusal } from '../../../server/src/cli/refusal.ts'
import {
  absoluteUrl,
  databaseUrl,
  isSameDatabase,
} from '../../../server/src/settings/kinds/connection-urls.ts'

/** The URL of the database of a project, from the command line or a setting. */
export function readSourceUrl(given: string, { cwd }: Io): string {
  if (given === '')
    throw usageRefusal('Name the database of the project, or set DJANGO_DATABASE_URL.')
  const parsed = databaseUrl.parse(given)
  if ('value' in parsed) return absoluteUrl(given, cwd)
  const special = parsed.mistakes.find(({ expected }) => expected !== databaseUrl.expected)
  throw usageRefusal(
    special ? `The database of the project: expected ${special.expected}.` : adviceOn(given, cwd),
  )
}

function adviceOn(given: string, cwd: string): string {
  const kinds = 'The database is sqlite:<file> or postgres://….'
  if (/^(mysql|mariadb|oracle)/i.test(given)) return `${kinds} Other databases cannot be read.`
  const isFile = !given.includes(':') && existsSync(resolve(cwd, given))
  return isFile ? `${kinds} Did you mean sqlite:${given}?` : kinds
}

/** Otherwise Latchkey would create its tables in the database of the project. */
export function refuseOwnDatabase(source: string, own: string): void {
  // Another user of the same database usually has the same tables.
  if (!isSameDatabase(withoutUser(source), withoutUser(own))) return
  throw refusal(
    'DATABASE_URL is the database of the Django project, but Latchkey needs its own. Set DATABASE_URL to another one.',
  )
}

const withoutUser = (url: string): string => url.replace(/^(postgres\w*:\/\/)[^/?#]*@/i, '$1')
