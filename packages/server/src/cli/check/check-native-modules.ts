import { nativeModulesOf } from '../../crypto/password-hash/password-hasher.ts'
import { type NativeModule, NativeModuleError } from '../../kernel/native-module.ts'
import { isServerDatabase } from '../../settings/kinds/connection-urls.ts'
import type { Settings } from '../../settings/settings.ts'
import { sqliteDriver } from '../../storage/connect-sqlite.ts'
import type { Finding } from './finding.ts'

/**
 * The native packages that these settings may need. The service also starts if the package of an
 * older hash is missing. Without this check, the first to notice would be a user with such a hash.
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
