import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isThere } from '../../../server/src/cli/database-file.ts'
import { databaseFile } from '../../../server/src/settings/kinds/connection-urls.ts'
import { ensureSecretKey } from '../../../server/src/settings/secret-key.ts'
import type { Settings } from '../../../server/src/settings/settings.ts'
import { copySqlite } from '../../../server/src/storage/sqlite-file.ts'

/**
 * Runs the work on a copy of the embedded database, or on a new one if there is none, and deletes it.
 * On the database itself, a dry run would be one long transaction, and would block a running service.
 */
export async function withCopy(
  settings: Settings,
  work: (settings: Settings) => Promise<void>,
): Promise<void> {
  const named = databaseFile(settings.DATABASE_URL)
  const file = named !== null && isThere(named) ? named : null
  // Beside the database, where there is room, and where only its owner can read it.
  const folder = await mkdtemp(join(file === null ? tmpdir() : dirname(file), 'dry-run-'))
  try {
    const copy = join(folder, 'latchkey.db')
    if (file !== null) copySqlite(file, copy)
    const keyed = file === null ? settings : ensureSecretKey(settings)
    await work({ ...keyed, DATABASE_URL: `sqlite:${copy}` })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
