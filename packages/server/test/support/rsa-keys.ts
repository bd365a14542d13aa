import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto'

/** More than one test needs at a time. */
const DIFFERENT = 4

const made: KeyPairKeyObjectResult[] = []
let asked = 0

/** A pair unlike the last few. Making one takes longer than most tests, so they come again. */
export function rsaKeyPair(): KeyPairKeyObjectResult {
  const index = asked++ % DIFFERENT
  made[index] ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
  return made[index]
}
