import { hkdfSync } from 'node:crypto'

/**
 * Derives one key per purpose from `SECRET_KEY`. A value made for one purpose is then useless for
 * another.
 */
export const derivedKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `latchkey/${purpose}`, 32))
