import { timingSafeEqual } from 'node:crypto'

/** Whether a secret was guessed right, in a time that does not tell how nearly. */
export function isEqualText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
