import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { platform } from 'node:os'
import { dirname } from 'node:path'
import { type Finding, good } from '../../../settings/finding.ts'
import { databaseFile } from '../../../settings/kinds/connection-urls.ts'
import { faultOfKeyIn, isKeyIn, keyFileOf } from '../../../settings/secret-key.ts'
import type { Settings } from '../../../settings/settings.ts'
import { hasHistory } from '../../../storage/has-history.ts'

/**
 * Checks that only the owner may read the files of an embedded database. A running service has a
 * `SECRET_KEY` even if the key comes from its file.
 */
export function fileFindings({ DATABASE_URL, SECRET_KEY }: Settings): Finding[] {
  const file = databaseFile(DATABASE_URL)
  const keyFile = keyFileOf(DATABASE_URL)
  if (file === null || keyFile === null) return []
  const usesFile = SECRET_KEY === null || isKeyIn(keyFile, SECRET_KEY)
  return [folderFinding(dirname(file)), ...(usesFile ? [keyFinding(keyFile, file)] : [])]
}

function folderFinding(folder: string): Finding {
  const about = 'data folder'
  if (!existsSync(folder)) {
    const parent = nearestFolder(folder)
    return isWritable(parent)
      ? good(about, `${folder} does not exist yet; the first start creates it`)
      : { about, says: `${folder} cannot be created`, mend: `let this user write to ${parent}` }
  }
  if (!isWritable(folder)) {
    return { about, says: `${folder} is not writable`, mend: 'let this user write to it' }
  }
  if (isOpenToOthers(folder)) {
    const mend = 'keep the database in its own folder, with mode 700'
    return { about, says: `other users of this machine can open ${folder}`, mend }
  }
  return good(about, `${folder} is writable and private`)
}

function keyFinding(file: string, database: string): Finding {
  const about = 'secret key'
  if (!existsSync(file)) return { about, ...missingKey(file, database) }
  const fault = faultOfKeyIn(file)
  if (fault) {
    return { about, says: fault, mend: 'restore it from a backup, or let this user read it' }
  }
  if (isOpenToOthers(file)) {
    return {
      about,
      says: `other users of this machine can read ${file}`,
      mend: `run "chmod 600 ${file}"`,
    }
  }
  return good(about, `${file} is private`)
}

function missingKey(file: string, database: string): Omit<Finding, 'about'> {
  try {
    return hasHistory(database)
      ? {
          says: `${file} is missing, so sealed data in the database cannot be read`,
          mend: 'restore it from a backup',
        }
      : { says: `${file} does not exist yet; the first start creates it`, mend: null }
  } catch {
    return {
      says: `${file} is missing, and the database, which may need it, cannot be read`,
      mend: 'repair the database first',
    }
  }
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

/** On Windows the mode says nothing about other users. */
const isOpenToOthers = (path: string): boolean =>
  platform() !== 'win32' && (statSync(path).mode & GROUP_AND_OTHERS) !== 0
