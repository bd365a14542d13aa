import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf } from '../kernel/log.ts'
import { randomHex } from '../kernel/random.ts'
import { read } from '../kernel/setting-kinds/kind.ts'
import { SettingsError } from '../kernel/settings-error.ts'
import { hasHistory } from '../storage/has-history.ts'
import { secretKey } from './groups/security.ts'
import { databaseFile, isServerDatabase } from './kinds/connection-urls.ts'
import { brokenRules } from './rules.ts'
import type { Settings } from './settings.ts'

export type KeyedSettings = Settings & { readonly SECRET_KEY: string }

/**
 * Returns the settings with a secret key: the given one, or the one stored beside the embedded
 * database.
 */
export function ensureSecretKey(settings: Settings): KeyedSettings {
  return { ...settings, SECRET_KEY: settings.SECRET_KEY ?? ownKey(settings) }
}

function ownKey(settings: Settings): string {
  // Instances that share a database must share the key, so none of them may generate one.
  if (isServerDatabase(settings.DATABASE_URL)) throw new SettingsError(brokenRules(settings))
  const database = databaseFile(settings.DATABASE_URL)
  if (database === null) return newKey()
  const file = keyFileBeside(database)
  refuseLostKey(file, database)
  return keptKey(file)
}

/** A new key would open nothing that the lost one has sealed, and would hide the loss. */
function refuseLostKey(file: string, database: string): void {
  if (existsSync(file) || !hasHistory(database)) return
  // The key is made before the tables, so another process has just made both.
  if (existsSync(file)) return
  throw new SettingsError([
    `SECRET_KEY: is not set, and ${file} is missing, so sealed data in ${database} cannot be read; restore that file from a backup, or set SECRET_KEY; docs/key-rotation.md says what is lost with a new key`,
  ])
}

/** Where the key is stored if the settings have none; null if it cannot be stored there. */
export function keyFileOf(databaseUrl: string): string | null {
  const file = databaseFile(databaseUrl)
  return file === null ? null : keyFileBeside(file)
}

const keyFileBeside = (database: string): string => join(dirname(database), 'secret.key')

/** The settings with the stored key, if there is one and they have none. Stores no key. */
export function withStoredKey(settings: Settings): Settings {
  const file = keyFileOf(settings.DATABASE_URL)
  return { ...settings, SECRET_KEY: settings.SECRET_KEY ?? (file && keyIn(file)) }
}

/** Why the key in this file cannot be used; null if it can. */
export function faultOfKeyIn(file: string): string | null {
  try {
    readKey(file)
    return null
  } catch (error) {
    return messageOf(error)
  }
}

/** False also if one of the files cannot be read. */
export function holdSameKey(one: string, other: string): boolean {
  const key = keyIn(one)
  return key !== null && isKeyIn(other, key)
}

/** Whether the file holds this key. False also if it cannot be read. */
export const isKeyIn = (file: string, key: string): boolean => keyIn(file) === key

function keyIn(file: string): string | null {
  try {
    return readKey(file)
  } catch {
    return null
  }
}

/** When the key of the settings was written to its file; null if it is in no file. */
export function keyWrittenAt({ DATABASE_URL, SECRET_KEY }: Settings): number | null {
  const file = keyFileOf(DATABASE_URL)
  const isInFile = file !== null && SECRET_KEY !== null && isKeyIn(file, SECRET_KEY)
  return isInFile ? Math.floor(statSync(file).mtimeMs) : null
}

const newKey = (): string => randomHex(32)

function keptKey(file: string): string {
  const folder = dirname(file)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (!existsSync(file)) publishKey(file)
    return readKey(file)
  } catch (error) {
    throw new SettingsError([existsSync(file) ? badKey(error) : badFolder(folder, error)])
  }
}

const badKey = (error: unknown): string =>
  `SECRET_KEY: is not set, and no key can be stored: ${messageOf(error)}`

function badFolder(folder: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return `DATABASE_URL: the data folder ${folder} cannot be created or written to (${code ?? message}); name a file in a folder that this user can write to, such as sqlite:/var/lib/latchkey/latchkey.db`
}

/**
 * Writes the key to another file and links it into place. So it appears complete or not at all, and
 * if two processes start at once, both use the same key.
 */
export function publishKey(file: string): void {
  const folder = dirname(file)
  const draft = `${file}.${randomHex(8)}`
  writeFileSync(draft, `${newKey()}\n`, { flag: 'wx', mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!existsSync(file)) throw error
  } finally {
    rmSync(draft)
  }
  flushFolder(folder)
}

/**
 * After a power cut the key must still be there, or sealed data would be lost. Windows cannot flush
 * a folder.
 */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

function readKey(file: string): string {
  const key = read(secretKey, readFileSync(file, 'utf8').trim())
  if (!key) throw new Error(`${file} does not hold ${secretKey.expected}`)
  return key
}
