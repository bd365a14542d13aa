import { createPublicKey } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../kernel/log.ts'
import { SettingsError } from '../../kernel/settings-error.ts'
import { type AlgorithmName, isShared } from './algorithms.ts'
import { furtherKeys, type JwtKeys, keyId, keyPair, sharedSecret } from './keys.ts'

type KeySettings = {
  ALGORITHM: AlgorithmName
  SIGNING_KEY: string | null
  VERIFYING_KEY: string | null
}

/** Loads the keys that the settings name. An error names every wrong setting. */
export function loadJwtKeys(settings: KeySettings, secretKey: string): JwtKeys {
  const { ALGORITHM, SIGNING_KEY, VERIFYING_KEY } = settings
  if (isShared(ALGORITHM)) return sharedSecret(ALGORITHM, SIGNING_KEY ?? secretKey)

  const mistakes: string[] = []
  const pair = attempt('SIMPLE_JWT.SIGNING_KEY', () => {
    const [privatePem = ''] = readPems(SIGNING_KEY ?? '')
    return keyPair(ALGORITHM, privatePem)
  })
  const further = attempt('SIMPLE_JWT.VERIFYING_KEY', () =>
    furtherKeys(ALGORITHM, VERIFYING_KEY ? readPems(VERIFYING_KEY) : []),
  )
  if (!pair || !further) throw new SettingsError(mistakes)
  return { ...pair, verifying: new Map([...pair.verifying, ...further]) }

  function attempt<T>(setting: string, read: () => T): T | null {
    try {
      return read()
    } catch (error) {
      mistakes.push(`${setting} ${messageOf(error)}`)
      return null
    }
  }
}

/** When the files of the keys were written, by `kid`. A key in a setting or a secret has no file. */
export function keyTimes({ SIGNING_KEY, VERIFYING_KEY }: KeySettings): ReadonlyMap<string, number> {
  const files = [SIGNING_KEY, VERIFYING_KEY].flatMap((one) =>
    one === null || one.includes('-----BEGIN') ? [] : filesAt(one),
  )
  const times = new Map<string, number>()
  for (const file of files) {
    const at = Math.floor(statSync(file).mtimeMs)
    for (const pem of readPems(file)) {
      const id = idOf(pem)
      if (id !== null) times.set(id, at)
    }
  }
  return times
}

/** Null for a block that nobody uses and nobody can read, such as an encrypted key beside the one that signs. */
function idOf(pem: string): string | null {
  try {
    return keyId(createPublicKey(pem))
  } catch {
    return null
  }
}

const BLOCK = /-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \1-----/g

/**
 * Reads the keys of a setting: PEM text, the path of a file, or the path of a folder with `.pem`
 * files. Each may hold several keys. Environment variables often contain line breaks as `\n`.
 */
export function readPems(textOrPath: string): string[] {
  const text = textOrPath.includes('-----BEGIN')
    ? textOrPath.replaceAll('\\n', '\n')
    : readPath(textOrPath)
  return [...text.matchAll(BLOCK)].map(([block]) => block)
}

function readPath(path: string): string {
  try {
    return filesAt(path)
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`is neither PEM text nor a path that can be read (${code})`)
  }
}

/** The file, or the `.pem` files of the folder. */
function filesAt(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  const names = readdirSync(path).filter((name) => name.endsWith('.pem'))
  return names.toSorted().map((name) => join(path, name))
}
