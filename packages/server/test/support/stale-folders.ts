import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR } from '../../src/kernel/clock.ts'
import { IN_MEMORY } from './database-folder.ts'

/** Removes what killed runs have left in memory. */
export async function setup(): Promise<void> {
  const names = await readdir(IN_MEMORY).catch(() => [])
  const ours = names.filter((name) => name.startsWith('latchkey-'))
  await Promise.all(
    ours.map(async (name) => {
      const folder = join(IN_MEMORY, name)
      // Another run may remove it first.
      const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }))
      if (mtimeMs < Date.now() - HOUR) await rm(folder, { recursive: true, force: true })
    }),
  )
}
