import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { plainTextOf } from './smtp.js'

const PATIENCE_MS = 20_000

/** Finds a text in a mail to that address, as soon as the mail exists. */
export async function findLink(folder, address, link) {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; ) {
    for (const name of (await readdir(folder)).filter((file) => file.endsWith('.eml'))) {
      const text = plainTextOf(await readFile(join(folder, name), 'utf8'))
      const found = text.includes(`To: ${address}`) && link.exec(text)
      if (found) return found
    }
    await setTimeout(50)
  }
  throw new Error(`No mail with a link came to ${address}.`)
}
