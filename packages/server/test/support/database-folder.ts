import { statfsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** `onTestFinished`, or `afterAll` for what a whole file uses. */
export type AtTheEnd = (cleanUp: () => Promise<void>) => void

export const IN_MEMORY = '/dev/shm'
/** Containers often have 64 MB, which the browser needs. */
const ENOUGH = 1e9

/**
 * Where tests keep databases: in memory if possible, since SQLite waits for the disk after each
 * write. Programs may not run there.
 */
const place = hasRoom() ? IN_MEMORY : tmpdir()

/** A new folder for databases. The caller removes it. */
export const makeDatabaseFolder = (name: string): Promise<string> =>
  mkdtemp(join(place, `latchkey-${name}-`))

/** A new folder for databases, until the end of the test. */
export async function newDatabaseFolder(
  name: string,
  atTheEnd: AtTheEnd = onTestFinished,
): Promise<string> {
  const folder = await makeDatabaseFolder(name)
  atTheEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize > ENOUGH
  } catch {
    return false
  }
}
