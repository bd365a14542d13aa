import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { firstLine } from '../explain.ts'
import { refusal } from '../refusal.ts'

/** Only for the eyes of the service, and never over a key that is there already. */
export function writeNewKey(file: string, pem: string): void {
  explaining(() => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, pem, { flag: 'wx', mode: 0o600, flush: true })
  })
}

/** At every moment the file holds the old key or the new one, never half of it. */
export function replaceKey(file: string, pem: string): void {
  explaining(() => {
    const draft = `${file}.new`
    writeFileSync(draft, pem, { mode: 0o600, flush: true })
    renameSync(draft, file)
  })
}

/** Under its name, so that a second try changes nothing. */
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
