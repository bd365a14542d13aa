import { existsSync } from 'node:fs'
import { databaseFile } from '../../settings/kinds/connection-urls.ts'
import type { Settings } from '../../settings/settings.ts'
import { pendingMigrations } from '../../storage/migrate.ts'
import { migrations } from '../../storage/migrations/all.ts'
import { withOpenService } from '../open-service.ts'
import type { Finding } from './finding.ts'

/** A former key is needed as long as it seals something. So these values are counted. */
export async function checkFormerKeys(settings: Settings): Promise<readonly Finding[]> {
  const { SECRET_KEY, SECRET_KEY_FALLBACKS, DATABASE_URL } = settings
  const file = databaseFile(DATABASE_URL)
  // A check must create neither a key nor a database.
  if (SECRET_KEY === null || SECRET_KEY_FALLBACKS.length === 0) return []
  if (file !== null && !existsSync(file)) return []
  const findings: Finding[] = []
  await withOpenService(settings, async ({ connection, services }) => {
    const pending = await pendingMigrations(connection, migrations)
    if (pending.length === 0) findings.push(findingOn(await services.reseal.countStale()))
  })
  return findings
}

function findingOn(stale: number): Finding {
  const about = 'SECRET_KEY_FALLBACKS'
  if (stale === 0) {
    return { about, says: 'no former key is in use any more', mend: 'remove the former keys' }
  }
  return {
    about,
    says: `${stale} ${stale === 1 ? 'value is' : 'values are'} still sealed with a former key`,
    mend: 'run "latchkey keys reseal", then remove the former keys',
  }
}
