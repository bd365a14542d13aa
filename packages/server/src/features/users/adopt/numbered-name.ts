import { nameKey } from '../../../kernel/names.ts'
import type { Tx } from '../../../storage/handle.ts'
import { stemOf, withSuffix } from '../usernames.ts'
import { findTaken } from './adopt-queries.ts'

const TRIES = 20

/** `kim2`, `kim3` and so on: the first that is free. */
export async function numberedName(
  name: string,
  alsoTaken: ReadonlySet<unknown>,
  tx: Tx,
): Promise<string> {
  const stem = stemOf(name)
  const names = Array.from({ length: TRIES }, (_, i) => `${stem}${i + 2}`)
  const taken = await findTaken(tx, 'username_key', names.map(nameKey))
  const isFree = (one: string) => !taken.has(nameKey(one)) && !alsoTaken.has(nameKey(one))
  return names.find(isFree) ?? withSuffix(stem)
}

/** What to tell the operator about a user who got another name. */
export const renamed = (wish: string, name: string): string =>
  `${wish} is taken, in this or another case; now ${name}`
