import { statfsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
/** Containers often have 64 MB, which the browser needs. */
const ENOUGH = 1e9

/**
 * Where tests keep databases: in memory if possible, since SQLite waits for the disk after each
 * write. Programs may not run there.
 */
const place = hasRoom() ? IN_MEMORY : tmpdir()

/** A new folder for databases. The caller removes it. */
export const newDatabaseFolder = (name: string): Promise<string> =>
  mkdtemp(join(place, `latchkey-${name}-`))

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize > ENOUGH
  } catch {
    return false
  }
}
