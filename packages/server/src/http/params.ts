import { problem } from '../problems.ts'

/** The largest integer key that both databases hold. */
const ID_MAX = 2 ** 31 - 1

/** The id in a path; what cannot be one names nothing. */
export function idIn({ id = '' }: Record<string, string>): number {
  const number = /^[1-9]\d{0,9}$/.test(id) ? Number(id) : 0
  if (number === 0 || number > ID_MAX) throw problem('not_found')
  return number
}
