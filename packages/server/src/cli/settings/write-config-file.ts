import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { randomHex } from '../../kernel/random.ts'
import { firstLine } from '../explain.ts'
import { refusal } from '../refusal.ts'

/**
 * Never over a file that exists, unless asked to. It holds secrets, so that only its owner may read
 * it; a replaced file does not hand down its own permissions.
 */
export function writeConfigFile(file: string, text: string, { force }: { force: boolean }): void {
  if (!force && existsSync(file)) throw refusal(`${file} exists; --force replaces it.`)
  const draft = `${file}.${randomHex(8)}`
  try {
    writeFileSync(force ? draft : file, text, { flag: 'wx', mode: 0o600, flush: true })
    if (force) renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw refusal(`${file}: cannot be written (${firstLine(error)})`)
  }
}
