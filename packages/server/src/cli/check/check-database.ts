import { existsSync } from 'node:fs'
import type { Finding } from '../../features/administration/findings/finding.ts'
import { databaseFile } from '../../settings/kinds/connection-urls.ts'
import { type Settings, topLevel } from '../../settings/settings.ts'
import { connect } from '../../storage/connect.ts'
import { pendingMigrations } from '../../storage/migrate.ts'
import { migrations } from '../../storage/migrations/all.ts'

/**
 * Checks that the database can be reached and is up to date. Throws if it cannot be used at all.
 */
export async function checkDatabase(settings: Settings): Promise<readonly Finding[]> {
  const { DATABASE_URL } = settings
  const url = topLevel.DATABASE_URL.kind.show(DATABASE_URL)
  const file = databaseFile(DATABASE_URL)
  if (file !== null && !existsSync(file)) {
    return [good('database', `${url} does not exist yet; the first start creates it`)]
  }
  const connection = connect(settings)
  try {
    const pending = await pendingMigrations(connection, migrations)
    const how = connection.pooler() === 'transaction' ? ' through a pooler' : ''
    return [good('database', `${url} can be used${how}`), migrationFinding(pending)]
  } finally {
    await connection.close()
  }
}

const good = (about: string, says: string): Finding => ({ about, says, mend: null })

function migrationFinding(pending: readonly string[]): Finding {
  if (pending.length === 0) return good('migrations', 'the database is up to date')
  return {
    about: 'migrations',
    says: `the database is not up to date; missing: ${pending.join(', ')}`,
    mend: 'run "latchkey migrate", or start the service',
  }
}
