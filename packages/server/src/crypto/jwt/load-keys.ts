import { type AlgorithmName, isShared } from './algorithms.ts'
import { type JwtKeys, keyPair, sharedSecret } from './keys.ts'
import { readPems } from './pem-files.ts'

export type KeySettings = {
  ALGORITHM: AlgorithmName
  SIGNING_KEY: string | null
  VERIFYING_KEY: string | null
}

/** Loads the keys that the settings name. An error begins with the name of the wrong setting. */
export function loadJwtKeys(settings: KeySettings, secretKey: string): JwtKeys {
  const { ALGORITHM, SIGNING_KEY, VERIFYING_KEY } = settings
  if (isShared(ALGORITHM)) return sharedSecret(ALGORITHM, SIGNING_KEY ?? secretKey)

  const [privatePem = ''] = blaming('SIMPLE_JWT.SIGNING_KEY', () => readPems(SIGNING_KEY ?? ''))
  blaming('SIMPLE_JWT.SIGNING_KEY', () => keyPair(ALGORITHM, privatePem, []))
  return blaming('SIMPLE_JWT.VERIFYING_KEY', () =>
    keyPair(ALGORITHM, privatePem, VERIFYING_KEY ? readPems(VERIFYING_KEY) : []),
  )
}

function blaming<T>(setting: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new Error(`${setting} ${error instanceof Error ? error.message : error}`)
  }
}
