import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A folder for one part of a proof. The user that runs PostgreSQL must be able to enter it. */
export async function ownFolder(folder, name) {
  const own = join(folder, name.replaceAll(/\W+/g, '-'))
  await mkdir(own)
  await chmod(folder, 0o755)
  return own
}
