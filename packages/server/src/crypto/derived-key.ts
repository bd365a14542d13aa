import { hkdfSync } from 'node:crypto'

/** One key per purpose out of `SECRET_KEY`, so that nothing made for one is good for another. */
export const derivedKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `latchkey/${purpose}`, 32))
