import { existsSync } from 'node:fs'
import { isShared } from '../../crypto/jwt/algorithms.ts'
import { loadJwtKeys } from '../../crypto/jwt/load-keys.ts'
import { nativeModulesOf } from '../../crypto/password-hash/password-hasher.ts'
import { type NativeModule, NativeModuleError } from '../../kernel/native-module.ts'
import { databaseFile, isServerDatabase } from '../../settings/kinds/connection-urls.ts'
import { type Settings, topLevel } from '../../settings/settings.ts'
import { connect } from '../../storage/connect.ts'
import { sqliteDriver } from '../../storage/connect-sqlite.ts'
import { pendingMigrations } from '../../storage/migrate.ts'
import { migrations } from '../../storage/migrations/all.ts'
import { firstLine } from '../refusal.ts'

/** The result of one check. It is good if there is nothing to fix. */
export type Finding = {
  readonly about: string
  readonly says: string
  /** How to fix it. Null if there is nothing to fix. */
  readonly mend: string | null
  /** Other settings that the same change fixes. */
  readonly also?: readonly string[]
}

/**
 * The native packages that these settings may need. The service starts even if the package of an
 * older hash is missing. Without this check, a user with such a hash would be the first to notice.
 */
export function checkNativeModules({ PASSWORD_HASHERS, DATABASE_URL }: Settings): Finding[] {
  const drivers = isServerDatabase(DATABASE_URL) ? [] : [sqliteDriver]
  return [...nativeModulesOf(PASSWORD_HASHERS), ...drivers].map(findingOn)
}

function findingOn({ name, load }: NativeModule): Finding {
  const about = `package ${name}`
  try {
    load()
    return { about, says: 'can be loaded', mend: null }
  } catch (error) {
    if (!(error instanceof NativeModuleError)) throw error
    return { about, says: error.says, mend: error.mend }
  }
}

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

/** Reports a key that cannot be used, since it would stop the start. */
export function checkKeys({ SIMPLE_JWT }: Settings): Finding[] {
  if (isShared(SIMPLE_JWT.ALGORITHM)) return []
  try {
    const { verifying } = loadJwtKeys(SIMPLE_JWT, '')
    return [{ about: 'keys', says: `can be used (${verifying.size} to check tokens)`, mend: null }]
  } catch (error) {
    return [
      { about: 'keys', says: firstLine(error), mend: 'make a key with "latchkey keys generate"' },
    ]
  }
}
