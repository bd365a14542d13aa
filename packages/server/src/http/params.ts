import { readId } from '../kernel/ids.ts'
import { problem } from '../kernel/problems.ts'

/** The id in a path; what cannot be one names nothing. */
export function idIn({ id = '' }: Record<string, string>): number {
  const number = readId(id)
  if (number === null) throw problem('not_found')
  return number
}
