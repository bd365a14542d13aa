import type { FieldValue, UserFields } from '../../kernel/user-fields/user-field.ts'
import { SettingsError } from '../../settings/settings-error.ts'
import type { Db } from '../../storage/handle.ts'
import { heldKey } from './user-fields.ts'
import {
  findHolders,
  forgetCovered,
  holdValues,
  listCovered,
  markCovered,
} from './user-fields-queries.ts'
import { userReader } from './user-values.ts'
import { listUsers } from './users-queries.ts'

const BATCH = 500
const NAMED = 5

/**
 * A field may become unique when users have values already. At the next start each user gets hold
 * of theirs. That is done once: the field is then marked as covered, until it is no longer unique.
 * If two users have one value, the start stops, since only the operator knows who should keep it.
 */
export async function coverUniqueFields(db: Db, declared: UserFields): Promise<void> {
  const unique = Object.keys(declared).filter((name) => declared[name]?.unique)
  const covered = (await listCovered(db)).map(({ name }) => name)
  for (const name of covered) if (!unique.includes(name)) await forgetCovered(db, name)

  const mistakes: string[] = []
  for (const name of unique) {
    if (covered.includes(name)) continue
    const late = await holdAll(db, name, declared)
    if (late.length === 0) await markCovered(db, name)
    else mistakes.push(mistake(name, late))
  }
  if (mistakes.length > 0) throw new SettingsError(mistakes)
}

/** Returns the users whose value somebody else holds. */
async function holdAll(db: Db, name: string, declared: UserFields): Promise<number[]> {
  const read = userReader([{ name, source: name }], declared)
  const late: number[] = []
  let last = 0
  for (;;) {
    const users = await listUsers(db, last, BATCH)
    if (users.length === 0) return late
    last = users.at(-1)?.id ?? last
    const wanted = users.flatMap((user) => {
      const digest = heldKey(read(user)[name] as FieldValue)
      return digest === null ? [] : [{ name, digest, user_id: user.id }]
    })
    if (wanted.length === 0) continue
    await holdValues(db, wanted)
    const digests = wanted.map(({ digest }) => digest)
    const holders = await findHolders(db, name, digests)
    for (const { digest, user_id } of wanted) {
      if (holders.get(digest) !== user_id) late.push(user_id)
    }
  }
}

function mistake(name: string, late: readonly number[]): string {
  const who = late.length === 1 ? '1 user has a value' : `${late.length} users have values`
  const named = late.slice(0, NAMED).join(', ')
  const rest = late.length > NAMED ? ', …' : ''
  return `USER_FIELDS.${name}: is to be unique, but ${who} that another user has, too (pk ${named}${rest}); "latchkey user set --pk <number> ${name}=<value>" gives another one`
}
