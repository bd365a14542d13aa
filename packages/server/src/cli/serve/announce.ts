import { isLoopback } from '../../kernel/hosts.ts'
import { databaseFile, hasMailbox, isServerDatabase } from '../../settings/kinds/connection-urls.ts'
import type { LoadedSettings } from '../../settings/resolve.ts'
import { type Settings, topLevel } from '../../settings/settings.ts'
import type { Connection } from '../../storage/connect.ts'
import { isInMemory } from '../database-file.ts'
import type { SettingsCall } from '../load-settings.ts'
import { shellWord } from '../output.ts'

type Running = { hasUsers: boolean; pooler: ReturnType<Connection['pooler']> }

/** Says where the service is: a text for people, one log line for programs. */
export function announce(call: SettingsCall, loaded: LoadedSettings, running: Running): void {
  const { settings, origins } = loaded
  const places = placesOf(settings, running)
  const { stdout, stderr } = call.io
  if (call.json) stdout.write(`${JSON.stringify(places)}\n`)
  else {
    // Another process cannot use a database in memory.
    const canCreate = !running.hasUsers && !isInMemory(settings.DATABASE_URL)
    const blocks = [
      ...banner(settings, places),
      ...(canCreate ? [firstUser(settings, places, sameDatabase(call, loaded))] : []),
      logIn(settings, places, running),
    ]
    stdout.write(`${blocks.join('\n\n')}\n`)
  }
  const { HOST, PUBLIC_URL } = settings
  if (origins.PUBLIC_URL === 'default' && !isLoopback(HOST)) {
    stderr.write(
      `Warning: other machines can reach HOST ${HOST}, but links and cookies are made for ${PUBLIC_URL}. Set PUBLIC_URL to the address that browsers use.\n`,
    )
  }
}

type Places = ReturnType<typeof placesOf>

/** The addresses of the API, the pages and the admin pages, and where the data is, without secrets. */
function placesOf(settings: Settings, { pooler }: Running) {
  const { HOST, PORT, AUTH_PREFIX, MODULES, PUBLIC_URL, PAGES_PREFIX, ADMIN_PUBLIC_URL } = settings
  return {
    url: `${localUrl(HOST, PORT)}${AUTH_PREFIX}`,
    // Under the address that passkeys are made for, `localhost` by default. The API may have another
    // one: `127.0.0.1` is the same machine, but another site.
    pages: MODULES.includes('pages') ? `${PUBLIC_URL}${PAGES_PREFIX}` : null,
    ...(MODULES.includes('admin') && { admin: `${ADMIN_PUBLIC_URL}/admin/` }),
    database: topLevel.DATABASE_URL.kind.show(settings.DATABASE_URL),
    pooler,
  }
}

/** "All addresses" cannot be called, so loopback stands in for it. */
const CALLABLE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** The address of the server for clients on this machine: `http://127.0.0.1:8000` */
function localUrl(host: string, port: number): string {
  const name = CALLABLE[host] ?? host
  // The service has bound it, so a name with a colon is an IPv6 address.
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/**
 * The options with which another command finds the same database. A URL with a secret is left out.
 */
function sameDatabase({ values, io }: SettingsCall, { settings, origins }: LoadedSettings) {
  const config = values.config ?? io.env.LATCHKEY_CONFIG
  const file = databaseFile(settings.DATABASE_URL)
  const isFoundAnyway = origins.DATABASE_URL === 'default' || origins.DATABASE_URL === 'file'
  return [
    ...(config ? ['--config', config] : []),
    ...(isFoundAnyway || file === null ? [] : ['--set', `DATABASE_URL=sqlite:${file}`]),
  ]
}

function banner(settings: Settings, { url, pages, admin, database, pooler }: Places): string[] {
  const shown = hasMailbox(settings) ? ` and shown at ${url}dev/mailbox/` : '.'
  const isOpen = settings.MODULES.includes('registration') && settings.ACCOUNT.SIGNUP === 'open'
  const purpose = isOpen ? 'create an account or sign in' : 'sign in'
  return [
    ...(pages === null ? [] : [`Open ${pages} to ${purpose}.`]),
    [
      `The API serves ${url}`,
      ...(settings.API_DOCS ? [`Its documentation is at ${url}docs/`] : []),
      ...(admin ? [`Operators sign in at ${admin}`] : []),
      ...(settings.EMAIL_URL === 'console:' ? [`Mails are printed here${shown}`] : []),
      `Data is stored in ${database}${pooler === 'transaction' ? ', through a pooler' : ''}`,
    ].join('\n'),
  ]
}

const EXAMPLE = { username: 'ada', email: 'ada@example.com', password: 'a-good-password' }

/** How to create the first user. */
function firstUser(
  { DATABASE_URL }: Settings,
  { admin }: Places,
  sameDatabase: readonly string[],
): string {
  const { username, email, password } = EXAMPLE
  const options = ['--username', username, '--email', email, '--verified', '--password-stdin']
  const flags = admin ? ['--superuser'] : []
  const words = ['npx', 'latchkey', 'user', 'create', ...flags, ...options, ...sameDatabase]
  const settings = isServerDatabase(DATABASE_URL) ? ', with the same settings' : ''
  return `Create the first ${admin ? 'operator' : 'user'}${settings}:
  printf '${password}' | ${words.map(shellWord).join(' ')}`
}

/** A request to try. */
function logIn({ ACCOUNT }: Settings, { url }: Places, { hasUsers }: Running): string {
  const { username, email, password } = EXAMPLE
  const name = ACCOUNT.LOGIN_METHODS.includes('username') ? { username } : { email }
  const body = shellWord(JSON.stringify({ ...name, password }))
  return `Log in${hasUsers ? ' as one of your users' : ''}:
  curl -s ${shellWord(`${url}login/`)} -H 'Content-Type: application/json' -d ${body}`
}
