import type { Adoptable, Brought, UserLoss } from '../../../core/adopt.ts'
import { nameKey, normalizeUsername } from '../../../kernel/names.ts'
import type { Tx } from '../../../storage/handle.ts'
import { stemOf } from '../usernames.ts'
import { changeUser, findUserByEmail, findUserByUsername } from '../users-queries.ts'
import { listUsersWithIds } from './adopt-queries.ts'
import type { NumberedNames } from './numbered-names.ts'

export const createAdoptUsernames = (
  marks: Adoptable<string | null>['marks'],
  numberedNames: NumberedNames,
): Adoptable<string | null> => ({
  marks,

  async put(brought, tx) {
    const losses: UserLoss[] = []
    for (const one of brought) losses.push(...(await rename(one, numberedNames, tx)))
    return losses
  },
})

/**
 * If somebody here has the name, a number is added, as for a new user. The old name becomes free
 * for the user who has it at the other service now.
 */
async function rename(
  { userId, given }: Brought<string | null>,
  numberedNames: NumberedNames,
  tx: Tx,
): Promise<UserLoss[]> {
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
  const hasNumber = user !== undefined && isNumbered(user.username, stemOf(wish))
  const name = hasNumber ? user.username : await numberedNames(NO_OTHERS, tx)(wish)
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

/** A user with the numbered name who comes later is rare. Then the report names them. */
const NO_OTHERS = { isReserved: () => false, namesThere: async () => new Set<string>() }

/** What to tell the operator about a user who got another name. */
export const renamed = (wish: string, name: string): string =>
  `${wish} is taken, in this or another case; now ${name}`

/** Whether the name is this stem, in upper or lower case, and a number. */
const isNumbered = (name: string, stem: string): boolean =>
  nameKey(name.slice(0, stem.length)) === nameKey(stem) && /^\d+$/.test(name.slice(stem.length))
