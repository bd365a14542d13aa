import { existsSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { randomHex } from '../kernel/random.ts'
import { firstLine } from '../kernel/texts.ts'
import { refusal } from './refusal.ts'

/**
 * Writes a file that only its owner may read. Replaces an existing file only with `force`, and does
 * not keep its permissions.
 */
export function writePrivateFile(file: string, text: string, { force }: { force: boolean }): void {
  refuseToReplace(file, force)
  // The file itself is replaced, not a link to it: others may read it by another path.
  const target = existsSync(file) ? realpathSync(file) : file
  const draft = `${target}.${randomHex(8)}`
  try {
    writeFileSync(force ? draft : file, text, { flag: 'wx', mode: 0o600, flush: true })
    if (force) renameSync(draft, target)
  } catch (error) {
    rmSync(draft, { force: true })
    throw refusal(`${file}: cannot be written (${firstLine(error)})`)
  }
}

export function refuseToReplace(file: string, force: boolean): void {
  if (force || !existsSync(file)) return
  throw refusal(`${file} already exists. Use --force to replace it.`)
}
