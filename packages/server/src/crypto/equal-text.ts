import { timingSafeEqual } from 'node:crypto'

/** Compares secrets in constant time: the time does not tell how many characters are right. */
export function isEqualText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
