import type { EveryFeature } from '../../../server/src/core/every-feature.ts'
import type { Audit } from '../../../server/src/features/audit/audit.ts'
import type { Events } from '../../../server/src/features/events/events.ts'
import type { Users } from '../../../server/src/features/users/users.ts'
import type { BatchWork } from './counts.ts'
import { dropImportedUser, type ImportedUser } from './import-queries.ts'

type Needs = { everyFeature: EveryFeature; audit: Audit; events: Events; users: Users }

/** Deletes a user who was deleted in the project, even if they have changed something here. */
export function createRemoveGone({ everyFeature, audit, events, users }: Needs) {
  return async (known: ImportedUser, { counts, findings, tx }: BatchWork): Promise<void> => {
    const { source_key, user_id } = known
    const user = user_id === null ? undefined : await users.lock(user_id, tx)
    if (user) {
      // The user knows: they were deleted in the project. So no mail is sent.
      await everyFeature.erase(user, tx)
      await audit.record({ userId: user.id, event: 'user_deleted', details: { by: 'import' } }, tx)
      await events.note('deleted', user, { by: 'import' }, tx)
      counts.note('removed', 1)
    }
    await dropImportedUser(tx, source_key)
    await findings.forgetAll(source_key)
  }
}
