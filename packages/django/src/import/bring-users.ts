import type { EveryFeature } from '../../../server/src/core/every-feature.ts'
import type { Adoption, TakeoverPart } from '../../../server/src/core/takeover.ts'
import type { Audit } from '../../../server/src/features/audit/audit.ts'
import type { Events } from '../../../server/src/features/events/events.ts'
import type {
  AdoptUsers,
  PartLoss,
  TakeoverRules,
} from '../../../server/src/features/users/takeover/adopt-users.ts'
import type { Users } from '../../../server/src/features/users/users.ts'
import type { DjangoUser } from '../../../server/src/storage/django/django-user.ts'
import type { Tx } from '../../../server/src/storage/handle.ts'
import { createBringChanges } from './bring-changes.ts'
import type { Counts } from './counts.ts'
import { createFindings } from './findings.ts'
import { addressesOf } from './known-addresses.ts'
import { digestsHere, digestsOf } from './part-digests.ts'
import { createRemoveGone } from './remove-gone.ts'
import { addKnownUsers, type KnownUser } from './takeover-queries.ts'

/** Users of the source, and what is known of them and of those that are gone from among them. */
export type Batch = {
  readonly users: readonly DjangoUser[]
  readonly known: readonly KnownUser[]
  readonly verifiedBy: ReadonlyMap<string, string>
}

export type BringUsers = ReturnType<typeof createBringUsers>

type Needs = {
  everyFeature: EveryFeature
  audit: Audit
  events: Events
  users: Users
  adoptUsers: AdoptUsers
  rules: TakeoverRules
}

/** Brings over one batch: users who are new, what has changed of the others, and who is gone. */
export function createBringUsers(needs: Needs) {
  const { everyFeature, adoptUsers, rules } = needs
  const parts = everyFeature.takeover()
  const bringChanges = createBringChanges(parts)
  const removeGone = createRemoveGone(needs)

  return async (batch: Batch, counts: Counts, tx: Tx): Promise<void> => {
    const { users: sources, known: rows, verifiedBy } = batch
    const findings = createFindings(tx)
    const known = new Map(rows.map((row) => [row.source_key, row]))

    const unknown = sources.filter(({ key }) => !known.has(key))
    await findings.forgetOfAll(
      unknown.map(({ key }) => key),
      'user',
    )
    const { adoptions, losses } = await adoptUsers(unknown, { rules, verifiedBy }, tx)
    for (const { part, loss } of losses) await findings.lost(part, [loss])
    for (const part of parts) {
      const theirs = adoptions.filter(({ source }) => part.of(source) !== null)
      if (theirs.length > 0) await findings.lost(part.name, await part.add(theirs, tx))
      counts.note(part.name, countIn(part, theirs))
    }
    await remember(adoptions, losses, tx)
    counts.note('added', adoptions.length)

    for (const source of sources) {
      const row = known.get(source.key)
      if (row) await bringChanges(row, source, { counts, findings, tx })
    }
    const present = new Set(sources.map(({ key }) => key))
    for (const row of rows) {
      if (!present.has(row.source_key)) await removeGone(row, { counts, findings, tx })
    }
  }

  async function remember(
    adoptions: readonly Adoption[],
    losses: readonly PartLoss[],
    tx: Tx,
  ): Promise<void> {
    if (adoptions.length === 0) return
    const ids = adoptions.map(({ userId }) => userId)
    const here = await digestsHere(parts, ids, tx)
    const lost = new Set(losses.map(({ part, loss }) => `${loss.source.key} ${part}`))
    const rows = adoptions.map((adoption) => {
      const { userId, source } = adoption
      const isComplete = ({ name }: TakeoverPart) => !lost.has(`${source.key} ${name}`)
      const digests = digestsOf(adoption, parts, here, isComplete)
      const known = { source_key: source.key, user_id: userId, parts: JSON.stringify(digests) }
      return { ...addressesOf(source), ...known }
    })
    await addKnownUsers(tx, rows)
  }
}

const countIn = ({ isCounted }: TakeoverPart, adoptions: readonly Adoption[]): number =>
  isCounted ? adoptions.filter(({ source }) => isCounted(source)).length : adoptions.length
