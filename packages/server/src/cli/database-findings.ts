import { type Finding, good } from '../settings/finding.ts'
import { databaseFile } from '../settings/kinds/connection-urls.ts'
import { type Settings, topLevel } from '../settings/settings.ts'
import { checkWritable } from '../storage/check-writable.ts'
import { connect } from '../storage/connect.ts'
import { type Db, handleOf } from '../storage/handle.ts'
import { findMove } from '../storage/instances.ts'
import { pendingMigrations } from '../storage/migrate.ts'
import { migrations } from '../storage/migrations/all.ts'
import { refuseUnfit } from '../storage/refuse-unfit.ts'
import { isInMemory, isThere } from './database-file.ts'
import { explainingFaults } from './explaining-faults.ts'
import { CommandRefusal } from './refusal.ts'

/** A refusal whose second sentence says what to do. */
const ADVISED = /^(.+?)\. ([A-Z].+)\.$/
const MEND = 'make sure that this user can use the database, or correct DATABASE_URL'

/**
 * Whether the database can be used and is up to date. One that cannot be used is a finding as well,
 * so that nothing hides the others.
 */
export async function databaseFindings(settings: Settings): Promise<readonly Finding[]> {
  try {
    return await explainingFaults(settings, () => inspect(settings))
  } catch (error) {
    if (!(error instanceof CommandRefusal)) throw error
    const message = error.message.replace(/^The database (?=\S+ cannot be used)/, '')
    const [, says = message.replace(/\.$/, ''), mend = MEND] = ADVISED.exec(message) ?? []
    return [{ about: 'database', says, mend }]
  }
}

/** Throws if the service could not read or write there. */
async function inspect(settings: Settings): Promise<readonly Finding[]> {
  const { DATABASE_URL } = settings
  const url = topLevel.DATABASE_URL.kind.show(DATABASE_URL)
  const file = databaseFile(DATABASE_URL)
  if (isInMemory(DATABASE_URL)) return [good('database', `${url}; every start makes it anew`)]
  if (file !== null && !isThere(file)) {
    return [good('database', `${url} does not exist yet; the first start creates it`)]
  }
  const connection = connect(settings)
  try {
    const pending = await pendingMigrations(connection, migrations)
    await refuseUnfit(connection, 'writes')
    const isReady = pending.length === 0 && (await findMove(connection)) === 'none'
    if (isReady) await checkWritable(handleOf<Db>(connection.db))
    const how = connection.pooler() === 'transaction' ? ' through a pooler' : ''
    return [good('database', `${url} can be used${how}`), migrationFinding(pending)]
  } finally {
    await connection.close()
  }
}

function migrationFinding(pending: readonly string[]): Finding {
  if (pending.length === 0) return good('migrations', 'the database is up to date')
  return {
    about: 'migrations',
    says: `the database is not up to date; missing: ${pending.join(', ')}`,
    mend: 'run "latchkey migrate", or start the service',
  }
}
