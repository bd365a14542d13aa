import { createHash, createHmac } from 'node:crypto'
import { isEqualText } from '../digests.ts'

/** What Django signed, and when, in seconds since 1970. */
export type Signed = { value: string; seconds: number }

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const FORM = /^([\w.-]+):([0-9A-Za-z]{1,11}):([\w-]{43})$/

/** Django derives a key for each purpose from its secret key. */
export const djangoKey = (purpose: string, secretKey: string): Buffer =>
  createHash('sha256').update(`${purpose}${secretKey}`).digest()

/** Opens `<value>:<time>:<signature>`. Returns null if none of the keys signed it. */
export function openSigned(
  text: string,
  salt: string,
  secretKeys: readonly string[],
): Signed | null {
  const [, value = '', time = '', signature = ''] = FORM.exec(text) ?? []
  if (value === '') return null
  const isGood = secretKeys.some((secretKey) => {
    const key = djangoKey(`${salt}signer`, secretKey)
    const expected = createHmac('sha256', key).update(`${value}:${time}`).digest('base64url')
    return isEqualText(expected, signature)
  })
  return isGood ? { value, seconds: fromBase62(time) } : null
}

/** Digits first, then upper-case letters, then lower-case ones. */
function fromBase62(text: string): number {
  let number = 0
  for (const digit of text) number = number * DIGITS.length + DIGITS.indexOf(digit)
  return number
}
