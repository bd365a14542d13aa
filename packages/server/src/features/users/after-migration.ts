import { pkOf } from '../../core/identity.ts'
import type { Pk } from '../../kernel/ids.ts'
import { SettingsError } from '../../kernel/settings-error.ts'
import { counted, named } from '../../kernel/texts.ts'
import type { UserFields } from '../../kernel/user-fields/user-field.ts'
import type { Settings } from '../../settings/settings.ts'
import { isUniqueViolation } from '../../storage/faults.ts'
import type { Db } from '../../storage/handle.ts'
import { inPages } from '../../storage/pages.ts'
import type { User } from '../../storage/schema.ts'
import type { Context } from '../feature.ts'
import {
  findHeldSkeletons,
  findHolders,
  findNewestUser,
  forgetCovered,
  holdSkeletons,
  holdValues,
  listCovered,
  listUsersWithoutSkeleton,
  markCovered,
} from './after-migration-queries.ts'
import { heldKey, uniqueNames } from './user-fields.ts'
import { declaredIn, storedIn } from './user-values.ts'
import { loadSkeletonOf } from './usernames.ts'
import { listUsers } from './users-queries.ts'

const BATCH = 500
/** Somebody may register a similar name at the same moment. The next try sees it. */
const TRIES = 5

/** Adapts the rows of users to the settings, or stops the start if that is impossible. */
export async function adaptUsers({ db, settings }: Pick<Context, 'db' | 'settings'>) {
  await checkKindOfPk(db, settings.USER_PK)
  await coverUniqueFields(db, settings.USER_FIELDS)
  if (settings.ACCOUNT.USERNAME_SKELETONS) await fillSkeletons(db)
}

/** Clients keep the pk of a user, so its kind must not change. */
async function checkKindOfPk(db: Db, wanted: Settings['USER_PK']): Promise<void> {
  const newest = await findNewestUser(db)
  if (!newest) return
  const kind = newest.uuid === null ? 'integer' : 'uuid'
  if (kind === wanted) return
  const has = kind === 'uuid' ? 'UUIDs' : 'numbers'
  throw new SettingsError([
    `USER_PK: got "${wanted}", but the users in the database have ${has}; set it to "${kind}"`,
  ])
}

/**
 * A field may become unique after users have filled it in. At the next start each user takes hold of
 * their value. This happens once: the field is then marked as covered, until it is no longer unique.
 * If two users have the same value, the start stops: only the operator knows who should keep it.
 */
async function coverUniqueFields(db: Db, declared: UserFields): Promise<void> {
  const unique = uniqueNames(declared)
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
async function holdAll(db: Db, name: string, declared: UserFields): Promise<Pk[]> {
  const late: Pk[] = []
  for await (const users of inPages((after) => listUsers(db, after, BATCH))) {
    const wanted = users.flatMap((user) => {
      const digest = heldKey(declaredIn(storedIn(user), declared)[name])
      return digest === null ? [] : [{ user, digest }]
    })
    if (wanted.length === 0) continue
    const digests = wanted.map(({ digest }) => digest)
    await holdValues(
      db,
      wanted.map(({ user, digest }) => ({ name, digest, user_id: user.id })),
    )
    const holders = await findHolders(db, name, digests)
    for (const { user, digest } of wanted) {
      if (holders.get(digest) !== user.id) late.push(pkOf(user))
    }
  }
  return late
}

function mistake(name: string, late: readonly Pk[]): string {
  const who = counted(late.length, 'user has', 'users have')
  return `USER_FIELDS.${name}: must be unique, but ${who} a value that another user also has (pk ${named(late)}); give them another one with "latchkey user set --pk <pk> ${name}=<value>"`
}

/**
 * Gives a skeleton to names that were chosen while `USERNAME_SKELETONS` was off. Of several similar
 * names the oldest account gets it. The others keep their names without a skeleton.
 */
async function fillSkeletons(db: Db): Promise<void> {
  const pages = inPages((after) => listUsersWithoutSkeleton(db, after, BATCH))
  for await (const users of pages) await fill(users, db)
}

async function fill(users: readonly User[], db: Db): Promise<void> {
  const skeletonOf = await loadSkeletonOf()
  for (let tries = 1; ; tries++) {
    try {
      const oldest = new Map(users.toReversed().map((user) => [skeletonOf(user.username), user]))
      const held = new Set(await findHeldSkeletons(db, [...oldest.keys()]))
      const free = [...oldest].filter(([skeleton]) => !held.has(skeleton))
      if (free.length > 0) await holdSkeletons(db, free)
      return
    } catch (error) {
      if (!isUniqueViolation(error) || tries === TRIES) throw error
    }
  }
}
