import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ensureSecretKey } from '../../../server/src/settings/secret-key.ts'
import type { Settings } from '../../../server/src/settings/settings.ts'
import { copySqlite } from '../../../server/src/storage/sqlite-file.ts'

/**
 * Runs the work on a copy of the embedded database, and deletes the copy. On the database itself, a
 * dry run would be one long transaction, and would block a running service.
 */
export async function withCopy(
  settings: Settings,
  file: string,
  work: (settings: Settings) => Promise<void>,
): Promise<void> {
  const isThere = existsSync(file)
  // Beside the database, where there is room, and where only its owner can read it.
  const folder = await mkdtemp(join(isThere ? dirname(file) : tmpdir(), 'dry-run-'))
  try {
    const copy = join(folder, 'latchkey.db')
    if (isThere) copySqlite(file, copy)
    const keyed = isThere ? ensureSecretKey(settings) : settings
    await work({ ...keyed, DATABASE_URL: `sqlite:${copy}` })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
