import { createPublicKey } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../kernel/log.ts'
import { WrongSetting } from '../../kernel/wrong-setting.ts'
import { type AlgorithmName, isShared } from './algorithms.ts'
import { type JwtKeys, keyId, keyPair, sharedSecret } from './keys.ts'

type KeySettings = {
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

function blaming<T>(setting: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new WrongSetting(`${setting} ${messageOf(error)}`)
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
