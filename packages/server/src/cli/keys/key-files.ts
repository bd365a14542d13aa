import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { firstLine } from '../explain.ts'
import { refusal } from '../refusal.ts'

/** Writes a key that only the service can read. Never overwrites an existing key. */
export function writeNewKey(file: string, pem: string): void {
  explaining(() => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, pem, { flag: 'wx', mode: 0o600, flush: true })
  })
}

/** Replaces the file in one step: it holds the old or the new key, never a part. */
export function replaceKey(file: string, pem: string): void {
  explaining(() => {
    const draft = `${file}.new`
    writeFileSync(draft, pem, { mode: 0o600, flush: true })
    renameSync(draft, file)
  })
}

/** The file is named after the key, so a second try changes nothing. */
export function keepPublicKey(folder: string, kid: string, pem: string): string {
  const file = join(folder, `${kid}.pem`)
  explaining(() => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, pem, { flush: true })
  })
  return file
}

function explaining(work: () => void): void {
  try {
    work()
  } catch (error) {
    throw refusal(firstLine(error))
  }
}
