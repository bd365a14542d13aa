import type { Adoptable, Brought, UserLoss } from '../../../core/adopt.ts'
import { nameKey, normalizeUsername } from '../../../kernel/names.ts'
import type { Tx } from '../../../storage/handle.ts'
import { stemOf, withSuffix } from '../usernames.ts'
import { changeUser, findUserByEmail, findUserByUsername } from '../users-queries.ts'
import { findTaken, listUsersWithIds } from './adopt-queries.ts'

export const createAdoptUsernames = (
  marks: Adoptable<string | null>['marks'],
): Adoptable<string | null> => ({
  marks,

  async put(brought, tx) {
    const losses: UserLoss[] = []
    for (const one of brought) losses.push(...(await rename(one, tx)))
    return losses
  },
})

/**
 * If somebody here has the name, a number is added, as for a new user. The old name becomes free
 * for the user who has it at the other service now.
 */
async function rename({ userId, given }: Brought<string | null>, tx: Tx): Promise<UserLoss[]> {
  const wish = normalizeUsername(given ?? '')
  if (wish === '') return []
  const lose = (why: string) => [{ userId, what: 'username', why }]
  const holder = await findUserByUsername(tx, nameKey(wish))
  if (!holder || holder.id === userId) {
    await setName(wish)
    const owner = wish.includes('@') ? await findUserByEmail(tx, nameKey(wish)) : undefined
    const isOthers = owner !== undefined && owner.id !== userId
    return isOthers ? lose(addressOfAnother(wish)) : []
  }
  const [user] = await listUsersWithIds(tx, [userId])
  const hasNumber = user !== undefined && isNumbered(user.username_key, nameKey(wish))
  const name = hasNumber ? user.username : await numberedName(wish, new Set(), tx)
  if (!hasNumber) await setName(name)
  return lose(renamed(wish, name))

  async function setName(username: string): Promise<void> {
    const columns = { username, username_key: nameKey(username), username_skeleton: null }
    await changeUser(tx, userId, columns)
  }
}

/** At a login an address wins over a name. Otherwise a name could be chosen to catch a password. */
export const addressOfAnother = (name: string): string =>
  `${name} is the address of another user, who comes first at a login; use another name or address`

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

const isNumbered = (key: string, stem: string): boolean =>
  key.startsWith(stem) && /^\d+$/.test(key.slice(stem.length))
