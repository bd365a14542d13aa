import { isShared } from '../../crypto/jwt/algorithms.ts'
import { loadJwtKeys } from '../../crypto/jwt/load-keys.ts'
import type { Settings } from '../../settings/settings.ts'
import { firstLine } from '../explain.ts'
import type { Finding } from './finding.ts'

/** A key that cannot be used would stop the start, so it is reported here. */
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
