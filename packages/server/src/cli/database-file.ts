import { statSync } from 'node:fs'
import { databaseFile, isServerDatabase } from '../settings/kinds/connection-urls.ts'
import { refusal } from './refusal.ts'

/** Unlike `existsSync`, it does not call a file missing that this user may not see. */
export function isThere(file: string): boolean {
  try {
    statSync(file)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return false
    throw refusal(`This user cannot open ${file} (${code}).`)
  }
}

export const isInMemory = (url: string): boolean =>
  !isServerDatabase(url) && databaseFile(url) === null
