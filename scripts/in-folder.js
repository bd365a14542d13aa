import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs `work(folder, atTheEnd)` in a temporary folder of its own. What was passed to `atTheEnd` runs afterwards,
 * the last first, and then the folder is deleted.
 */
export async function inFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-'))
  const ends = [() => rm(folder, { recursive: true, force: true })]
  try {
    return await work(folder, (end) => ends.push(end))
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}
