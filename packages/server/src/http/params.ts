import { readId } from '../kernel/ids.ts'
import { problem } from '../kernel/problems.ts'

/** Reads the id in a path. A text that cannot be an id is a 404. */
export function idIn({ id = '' }: Record<string, string>): number {
  const number = readId(id)
  if (number === null) throw problem('not_found')
  return number
}
