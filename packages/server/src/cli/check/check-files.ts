import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { platform } from 'node:os'
import { dirname, join } from 'node:path'
import { databaseFile } from '../../settings/kinds/connection-urls.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Finding } from './finding.ts'

/** The files of an embedded database: only their owner may read them. */
export function checkFiles({ DATABASE_URL, SECRET_KEY }: Settings): readonly Finding[] {
  const file = databaseFile(DATABASE_URL)
  if (file === null) return []
  const folder = dirname(file)
  return [
    folderFinding(folder),
    ...(SECRET_KEY === null ? [keyFinding(join(folder, 'secret.key'), existsSync(file))] : []),
  ]
}

function folderFinding(folder: string): Finding {
  const about = 'data folder'
  if (!existsSync(folder)) {
    const parent = nearestFolder(folder)
    return isWritable(parent)
      ? { about, says: `${folder} is not there yet; the first start makes it`, mend: null }
      : { about, says: `${folder} cannot be made`, mend: `let this user write to ${parent}` }
  }
  if (!isWritable(folder)) {
    return { about, says: `${folder} cannot be written to`, mend: `let this user write to it` }
  }
  if (isOpenToOthers(folder)) {
    const mend = 'give the database a folder of its own, with mode 700'
    return { about, says: `others on this machine may look into ${folder}`, mend }
  }
  return { about, says: `${folder} is writable, and private`, mend: null }
}

function keyFinding(file: string, hasDatabase: boolean): Finding {
  const about = 'secret key'
  if (!existsSync(file)) {
    return hasDatabase
      ? { about, says: `${file} is missing`, mend: 'restore it: it opens what the database seals' }
      : { about, says: `${file} is not there yet; the first start makes it`, mend: null }
  }
  if (isOpenToOthers(file)) {
    return { about, says: `others on this machine may read ${file}`, mend: 'chmod 600 it' }
  }
  return { about, says: `${file} is private`, mend: null }
}

const nearestFolder = (folder: string): string =>
  existsSync(folder) ? folder : nearestFolder(dirname(folder))

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

const GROUP_AND_OTHERS = 0o077

/** Windows has no such mode. */
const isOpenToOthers = (path: string): boolean =>
  platform() !== 'win32' && (statSync(path).mode & GROUP_AND_OTHERS) !== 0
