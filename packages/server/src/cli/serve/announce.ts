import { isLoopback } from '../../kernel/hosts.ts'
import { databaseFile } from '../../settings/kinds/connection-urls.ts'
import type { LoadedSettings } from '../../settings/resolve.ts'
import { type Settings, topLevel } from '../../settings/settings.ts'
import type { Connection } from '../../storage/connect.ts'
import type { SettingsCall } from '../load-settings.ts'
import { banner } from './banner.ts'

type Running = { port: number; hasUsers: boolean; pooler: ReturnType<Connection['pooler']> }

/** Says where the service is: a text for people, one log line for programs. */
export function announce(
  call: SettingsCall,
  loaded: LoadedSettings,
  { port, hasUsers, pooler }: Running,
): void {
  const { settings, origins } = loaded
  const url = `${localUrl(settings.HOST, port)}${settings.AUTH_PREFIX}`
  const pages = pagesUrl(settings)
  const admin = settings.MODULES.includes('admin') ? `${settings.ADMIN_PUBLIC_URL}/admin/` : null
  const database = topLevel.DATABASE_URL.kind.show(settings.DATABASE_URL)
  call.io.stdout.write(
    call.json
      ? `${JSON.stringify({ url, pages, ...(admin && { admin }), database, pooler })}\n`
      : banner({
          settings,
          url,
          pages,
          admin,
          database,
          pooler,
          hasUsers,
          sameDatabase: sameDatabase(call, loaded),
        }),
  )
  const { HOST, PUBLIC_URL } = settings
  if (origins.PUBLIC_URL === 'default' && !isLoopback(HOST)) {
    call.io.stderr.write(
      `Warning: other machines can reach HOST ${HOST}, but links and cookies are made for ${PUBLIC_URL}. Set PUBLIC_URL to the address that browsers use.\n`,
    )
  }
}

/**
 * Under the address that passkeys are made for, `localhost` by default. The API may have another one:
 * `127.0.0.1` is the same machine, but another site. Null if the pages are off.
 */
const pagesUrl = ({ MODULES, PUBLIC_URL, PAGES_PREFIX }: Settings): string | null =>
  MODULES.includes('pages') ? `${PUBLIC_URL}${PAGES_PREFIX}` : null

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

/** "All addresses" cannot be called, so loopback stands in for it. */
const CALLABLE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** The address of the server for clients on this machine: `http://127.0.0.1:8000` */
function localUrl(host: string, port: number): string {
  const name = CALLABLE[host] ?? host
  // The service has bound it, so a name with a colon is an IPv6 address.
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
