import { skeletonOf } from '../../kernel/skeleton.ts'
import { isUniqueViolation } from '../../storage/faults.ts'
import type { Db } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { findHeldSkeletons, holdSkeletons, listUsersWithoutSkeleton } from './users-queries.ts'

const BATCH = 500
/** Somebody may register a similar name at the same moment. The next try sees it. */
const TRIES = 5

/**
 * Gives a skeleton to names that were chosen while `USERNAME_SKELETONS` was off. Of several similar
 * names the oldest account gets it. The others keep their names without a skeleton.
 */
export async function fillSkeletons(db: Db): Promise<void> {
  let after = 0
  for (;;) {
    const users = await listUsersWithoutSkeleton(db, after, BATCH)
    if (users.length === 0) return
    await fill(users, db)
    after = users.at(-1)?.id ?? after
  }
}

async function fill(users: readonly User[], db: Db): Promise<void> {
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
