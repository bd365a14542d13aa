import { timingSafeEqual } from 'node:crypto'

/** Whether a secret was guessed right, in a time that does not tell how nearly. */
export function isEqualText(given: string, secret: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(secret)]
  return left.length === right.length && timingSafeEqual(left, right)
}
