import { hasMailbox, isServerDatabase } from '../../settings/kinds/connection-urls.ts'
import type { Settings } from '../../settings/settings.ts'
import { isInMemory } from '../database-file.ts'
import { shellWord } from '../output.ts'

type Started = {
  readonly settings: Settings
  /** The address of the API. */
  readonly url: string
  /** The address of the hosted pages; null if they are off. */
  readonly pages: string | null
  /** The address of the admin pages; null if they are off. */
  readonly admin: string | null
  /** Without secrets. */
  readonly database: string
  /** What is between the service and PostgreSQL; null for SQLite. */
  readonly pooler: 'none' | 'transaction' | null
  /** The options with which another command finds the database. */
  readonly sameDatabase: readonly string[]
  readonly hasUsers: boolean
}

/** The text after a start: where the service is, and how to try it. */
export function banner(started: Started): string {
  const { settings, url, pages, admin, database, pooler, hasUsers } = started
  const docs = `Its documentation is at ${url}docs/`
  const shown = hasMailbox(settings) ? ` and shown at ${url}dev/mailbox/` : '.'
  const blocks = [
    ...(pages === null ? [] : [`Open ${pages} to create an account or sign in.`]),
    [
      `The API serves ${url}`,
      ...(settings.API_DOCS ? [docs] : []),
      ...(admin === null ? [] : [`Operators sign in at ${admin}`]),
      ...(settings.EMAIL_URL === 'console:' ? [`Mails are printed here${shown}`] : []),
      `Data is stored in ${database}${pooler === 'transaction' ? ', through a pooler' : ''}`,
    ].join('\n'),
    ...(hasUsers ? [] : [...creation(started), `Log in:\n  ${loginLine(url, settings)}`]),
  ]
  return `${blocks.join('\n\n')}\n`
}

const EXAMPLE = { username: 'ada', email: 'ada@example.com', password: 'a-good-password' }

function creation({ settings: { DATABASE_URL, MODULES }, sameDatabase }: Started): string[] {
  // Another process cannot use it.
  if (isInMemory(DATABASE_URL)) return []
  const { username, email, password } = EXAMPLE
  const hasAdmin = MODULES.includes('admin')
  const options = ['--username', username, '--email', email, '--verified', '--password-stdin']
  const flags = hasAdmin ? ['--superuser'] : []
  const words = ['npx', 'latchkey', 'user', 'create', ...flags, ...options, ...sameDatabase]
  return [
    `Create the first ${hasAdmin ? 'operator' : 'user'}${isServerDatabase(DATABASE_URL) ? ', with the same settings' : ''}:
  printf '${password}' | ${words.map(shellWord).join(' ')}`,
  ]
}

function loginLine(url: string, { ACCOUNT }: Settings): string {
  const { username, email, password } = EXAMPLE
  const name = ACCOUNT.LOGIN_METHODS.includes('username') ? { username } : { email }
  const body = JSON.stringify({ ...name, password })
  const address = shellWord(`${url}login/`)
  return `curl -s ${address} -H 'Content-Type: application/json' -d ${shellWord(body)}`
}
