import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type LibsqlDatabase from 'libsql'
import { type NativeModule, nativeModule } from '../kernel/native-module.ts'
import { cannotOpen, codedError } from './faults.ts'

export const sqliteDriver: NativeModule<typeof LibsqlDatabase> = nativeModule({
  name: 'libsql',
  orElse: 'let DATABASE_URL name a PostgreSQL',
})

/** SQLite's own access to files. */
const FILES = process.platform === 'win32' ? 'win32' : 'unix'

/**
 * Opens a file that exists, and creates none: a disk that is not mounted must not look like an empty
 * database.
 *
 * By default the driver reads through a layer that can encrypt. If the disk fails to read a page, that
 * layer reports success. SQLite then uses whatever is in the buffer, and may even write it back
 * (https://github.com/utelle/SQLite3MultipleCiphers/pull/272). So the file is read without that layer.
 */
export function openSqlite(file: string, timeout?: number): LibsqlDatabase.Database {
  const SqliteDriver = sqliteDriver.load()
  const path = file === ':memory:' ? file : `${pathToFileURL(file)}?vfs=${FILES}&mode=rw`
  try {
    return new SqliteDriver(path, { timeout })
  } catch (cause) {
    throw cannotOpen(cause)
  }
}

/** Writes the database as it is now into a new, private file. Others may read and write meanwhile. */
export function copySqlite(from: string, to: string): void {
  makePrivateFile(to)
  const database = openSqlite(from)
  try {
    database.prepare('VACUUM INTO ?').run([to])
  } finally {
    database.close()
  }
}

const MISSING = 'missing'

/**
 * Identifies the file at a path by a text that no other file has. Null if that is impossible: some file
 * systems do not number their files, and on Windows nobody can delete a file in use.
 */
export function fileAt(path: string | null): string | null {
  if (path === null || FILES === 'win32') return null
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found) return MISSING
    return found.ino === 0 ? null : `${found.dev} ${found.ino}`
  } catch {
    return null
  }
}

/** The same for its journal, which is beside the file that a link leads to. Null if there is none. */
export function journalAt(path: string | null): string | null {
  try {
    const found = path === null ? null : fileAt(`${realpathSync(path)}-wal`)
    return found === MISSING ? null : found
  } catch {
    return null
  }
}

export function canWrite(file: string): boolean {
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Creates the file with mode 0600 before the driver does, since the driver would make it readable
 * by everybody. The journal files take over its mode. An existing file is not opened: closing it
 * would drop the locks that other connections of this process hold on it, and the next process that
 * ends would then delete the journal under them.
 */
export function makePrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const there = statSync(file, { throwIfNoEntry: false })
    // A link to a file that does not exist yet counts as existing.
    if (!there) makePrivateFile(resolve(dirname(file), readlinkSync(file)))
    // Said here, since the driver would only say that it failed.
    else if (there.isDirectory()) throw codedError('EISDIR', 'it is a folder')
    else accessSync(file, constants.R_OK | constants.W_OK)
  }
}
