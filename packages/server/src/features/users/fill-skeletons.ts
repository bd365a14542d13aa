import { skeletonOf } from '../../kernel/skeleton.ts'
import { isUniqueViolation } from '../../storage/faults.ts'
import type { Db } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { findHeldSkeletons, holdSkeletons, listUsersWithoutSkeleton } from './users-queries.ts'

const BATCH = 500
/** Somebody may register a look-alike at the same moment; the next try sees them. */
const TRIES = 5

/**
 * Names that were chosen while their looks did not count get their skeletons. Of several that look
 * alike the oldest account holds it; the others keep their names, and hold nothing.
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
