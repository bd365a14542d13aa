import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Service } from '../../compose-service.ts'
import { pkOf } from '../../core/identity.ts'
import type { Unreadable } from '../../features/administration/reseal.ts'
import { databaseFile } from '../../settings/kinds/connection-urls.ts'
import type { Settings } from '../../settings/settings.ts'
import { pendingMigrations } from '../../storage/migrate.ts'
import { migrations } from '../../storage/migrations/all.ts'
import { withOpenService } from '../open-service.ts'
import type { Finding } from './findings.ts'

type Services = Service['services']

/**
 * Checks that every sealed value can be opened. With `deploy` it also counts values sealed with
 * former keys, since a former key is needed as long as there are any, and looks at the operators.
 */
export async function checkStoredData(
  settings: Settings,
  { deploy }: { deploy: boolean },
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  if (!isReadable(settings)) return findings
  await withOpenService(settings, async ({ connection, services }) => {
    if ((await pendingMigrations(connection, migrations)).length > 0) return
    for (const lost of await services.reseal.unreadable()) {
      findings.push(unreadable(lost, await usersNamed(lost, services)))
    }
    if (deploy && settings.SECRET_KEY_FALLBACKS.length > 0) {
      findings.push(formerKeys(await services.reseal.countStale()))
    }
    if (deploy) findings.push(...(await services.operatorFindings()))
  })
  return findings
}

/** A check must create neither a key nor a database. */
function isReadable({ SECRET_KEY, DATABASE_URL }: Settings): boolean {
  const file = databaseFile(DATABASE_URL)
  if (file === null) return SECRET_KEY !== null
  return existsSync(file) && (SECRET_KEY !== null || existsSync(join(dirname(file), 'secret.key')))
}

async function usersNamed({ userIds }: Unreadable, { users }: Services): Promise<string> {
  const found = await Promise.all(userIds.map((id) => users.findById(id)))
  const pks = found.flatMap((user) => (user ? [pkOf(user)] : []))
  if (pks.length === 0) return ''
  return ` (${pks.length === 1 ? 'user' : 'users'} ${pks.join(', ')})`
}

const FORMER_KEY = 'add the key that sealed them to SECRET_KEY_FALLBACKS'

function unreadable({ table, count }: Unreadable, users: string): Finding {
  const more = users === '' || count <= 5 ? users : users.replace(')', ' …)')
  return {
    about: 'sealed data',
    says: `${count} ${count === 1 ? 'value' : 'values'} in ${table} cannot be opened${more}`,
    mend:
      table === 'totp_authenticators'
        ? `${FORMER_KEY}; if there is none, run "latchkey user reset-mfa", since no code of the app is accepted`
        : `${FORMER_KEY}; docs/key-rotation.md says what is lost without it`,
  }
}

function formerKeys(stale: number): Finding {
  const about = 'SECRET_KEY_FALLBACKS'
  if (stale === 0) {
    return { about, says: 'no former key is in use', mend: 'remove the former keys' }
  }
  return {
    about,
    says: `${stale} ${stale === 1 ? 'value is' : 'values are'} still sealed with a former key`,
    mend: 'run "latchkey keys reseal", then remove the former keys',
  }
}
