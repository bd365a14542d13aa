import type { Adoption, Loss } from '../../../core/takeover.ts'
import { nameKey, normalizeUsername } from '../../../kernel/names.ts'
import type { Tx } from '../../../storage/handle.ts'
import { findUserByEmail } from '../users-queries.ts'
import { changeAdopted, listUsersNamed, listUsersWithIds } from './adopt-queries.ts'
import { numberedName } from './numbered-name.ts'

/**
 * Gives a user the name that they have at the source now. If somebody here has it, a number is added,
 * as for a user who is new. So the old name is free, for whoever has it there now.
 */
export async function rename({ userId, source }: Adoption, tx: Tx): Promise<Loss[]> {
  const wish = normalizeUsername(source.username ?? '')
  if (wish === '') return []
  const [holder] = await listUsersNamed(tx, nameKey(wish))
  if (!holder || holder.id === userId) {
    await setName(wish)
    const owner = wish.includes('@') ? await findUserByEmail(tx, nameKey(wish)) : undefined
    const isOthers = owner !== undefined && owner.id !== userId
    return isOthers ? [{ source, what: 'username', why: addressOfAnother(wish) }] : []
  }
  const [user] = await listUsersWithIds(tx, [userId])
  const hasNumber = user !== undefined && isNumbered(user.username_key, nameKey(wish))
  const name = hasNumber ? user.username : await numberedName(wish, new Set(), tx)
  if (!hasNumber) await setName(name)
  const why = `${wish} is taken, in this or another case; now ${name}`
  return [{ source, what: 'username', why }]

  async function setName(username: string): Promise<void> {
    const columns = { username, username_key: nameKey(username), username_skeleton: null }
    await changeAdopted(tx, userId, columns)
  }
}

/** At a login an address wins over a name. Otherwise a name could be chosen to catch a password. */
export const addressOfAnother = (name: string): string =>
  `${name} is the address of another user, to whom it leads; log in with another name or address`

const isNumbered = (key: string, stem: string): boolean =>
  key.startsWith(stem) && /^\d+$/.test(key.slice(stem.length))
