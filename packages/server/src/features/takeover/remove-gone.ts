import type { EveryFeature } from '../../core/every-feature.ts'
import type { Audit } from '../audit/audit.ts'
import type { Events } from '../events/events.ts'
import type { Users } from '../users/users.ts'
import type { BatchWork } from './batch-work.ts'
import { digestsHere, parsePartDigests } from './part-digests.ts'
import { dropKnownUser, type KnownUser } from './takeover-queries.ts'

type Needs = { everyFeature: EveryFeature; audit: Audit; events: Events; users: Users }

/** A user was deleted at the source. What was changed here since then keeps the user. */
export function createRemoveGone({ everyFeature, audit, events, users }: Needs) {
  const parts = everyFeature.takeover()

  return async (known: KnownUser, { counts, findings, tx }: BatchWork): Promise<void> => {
    const { source_key, user_id } = known
    const user = user_id === null ? undefined : await users.lock(user_id, tx)
    const digests = parsePartDigests(known.parts)
    const here = await digestsHere(parts, user ? [user.id] : [], tx)
    const isSame = parts.every(
      ({ name }) => !user || (digests[name]?.[1] ?? '') === here(user.id, name),
    )
    if (!isSame) return findings.keptAlone(source_key, user_id)
    if (user) {
      // The user left there, so that no letter says farewell here.
      await everyFeature.erase(user, tx)
      await audit.record({ userId: user.id, event: 'user_deleted', details: { by: 'import' } }, tx)
      await events.note('deleted', user, { by: 'import' }, tx)
      counts.note('removed', 1)
    }
    await dropKnownUser(tx, source_key)
    await findings.forgetAll(source_key)
  }
}
