import type { EveryFeature } from '../../core/every-feature.ts'
import type { Adoption, TakeoverPart } from '../../core/takeover.ts'
import { nameKey } from '../../kernel/names.ts'
import type { DjangoUser } from '../../storage/django/django-user.ts'
import type { Tx } from '../../storage/handle.ts'
import type { Audit } from '../audit/audit.ts'
import type { AdoptUsers, TakeoverRules } from '../users/takeover/adopt-users.ts'
import { chosenAddress } from '../users/takeover/chosen-address.ts'
import type { Users } from '../users/users.ts'
import type { Counts } from './counts.ts'
import { createFindings } from './findings.ts'
import { digestsHere, digestThere, type PartDigests, parsePartDigests } from './part-digests.ts'
import {
  addKnownUsers,
  changeKnownUser,
  dropKnownUser,
  type KnownUser,
  listKnownUsers,
} from './takeover-queries.ts'

/** Users of the source in the order of their keys, and all of them between two keys. */
export type Batch = {
  readonly after: string
  readonly last: string
  readonly users: readonly DjangoUser[]
  readonly verifiedBy: ReadonlyMap<string, string>
}

type Needs = {
  everyFeature: EveryFeature
  audit: Audit
  users: Users
  adoptUsers: AdoptUsers
  rules: TakeoverRules
}

/** Brings over one batch: users who are new, what has changed of the others, and who is gone. */
export function createBringUsers({ everyFeature, audit, users, adoptUsers, rules }: Needs) {
  const parts = everyFeature.takeover()

  return async (batch: Batch, counts: Counts, tx: Tx): Promise<void> => {
    const { after, last, users: sources, verifiedBy } = batch
    const findings = createFindings(tx)
    const rows = await listKnownUsers(tx, after, last)
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
      counts.note(part.name, theirs.length)
    }
    await remember(adoptions, tx)
    counts.note('added', adoptions.length)

    for (const source of sources) {
      const row = known.get(source.key)
      if (row) await bringChanges(row, source)
    }
    const present = new Set(sources.map(({ key }) => key))
    for (const row of rows) if (!present.has(row.source_key)) await removeGone(row)

    async function bringChanges(row: KnownUser, source: DjangoUser): Promise<void> {
      // Deleted here: stays deleted.
      if (row.user_id === null) return
      const digests = parsePartDigests(row.parts)
      const changed = parts.filter((part) => digests[part.name]?.[0] !== digestThere(part, source))
      if (changed.length === 0) {
        counts.note('unchanged', 1)
        return
      }
      const adoption = { userId: row.user_id, source }
      const here = await digestsHere(changed, [row.user_id], tx)
      const isOurs = ({ name }: TakeoverPart) =>
        (digests[name]?.[1] ?? '') !== here(adoption.userId, name)
      const replaced: TakeoverPart[] = []
      for (const part of changed) {
        await findings.forget(source.key, part.name)
        if (isOurs(part)) {
          await part.merge?.(adoption, tx)
          await findings.kept(part.name, source)
          continue
        }
        const losses = await part.replace(adoption, tx)
        await findings.lost(part.name, losses)
        // What could not be brought over is tried again: a name that is taken may be free by then.
        if (losses.length === 0) replaced.push(part)
      }
      counts.note('updated', replaced.length > 0 ? 1 : 0)
      await rememberAgain(row, adoption, replaced, tx)
    }

    /** Deleted at the source. What was changed here since then keeps the user. */
    async function removeGone({ source_key, user_id, parts: stored }: KnownUser): Promise<void> {
      const user = user_id === null ? undefined : await users.lock(user_id, tx)
      const digests = parsePartDigests(stored)
      const here = await digestsHere(parts, user ? [user.id] : [], tx)
      const isSame = parts.every(
        ({ name }) => !user || (digests[name]?.[1] ?? '') === here(user.id, name),
      )
      if (!isSame) return findings.keptAlone(source_key, user_id)
      if (user) {
        // The user left there, so that no letter says farewell here.
        await everyFeature.erase(user, tx)
        await audit.record(
          { userId: user.id, event: 'user_deleted', details: { by: 'import' } },
          tx,
        )
        counts.note('removed', 1)
      }
      await dropKnownUser(tx, source_key)
      await findings.forgetAll(source_key)
    }
  }

  async function remember(adoptions: readonly Adoption[], tx: Tx): Promise<void> {
    if (adoptions.length === 0) return
    const ids = adoptions.map(({ userId }) => userId)
    const here = await digestsHere(parts, ids, tx)
    const rows = adoptions.map(({ userId, source }) => ({
      ...addressesOf(source),
      source_key: source.key,
      user_id: userId,
      parts: JSON.stringify(digestsOf({ userId, source }, parts, here)),
    }))
    await addKnownUsers(tx, rows)
  }

  async function rememberAgain(
    row: KnownUser,
    adoption: Adoption,
    replaced: readonly TakeoverPart[],
    tx: Tx,
  ): Promise<void> {
    const here = await digestsHere(replaced, [adoption.userId], tx)
    const digests = { ...parsePartDigests(row.parts), ...digestsOf(adoption, replaced, here) }
    const isMoved = replaced.some(({ name }) => name === 'addresses')
    await changeKnownUser(tx, {
      source_key: row.source_key,
      email: row.email,
      address: row.address,
      ...(isMoved && addressesOf(adoption.source)),
      parts: JSON.stringify(digests),
    })
  }
}

const addressesOf = (source: DjangoUser) => ({
  email: source.email,
  address: chosenAddress(source)?.key ?? nameKey(source.email),
})

const digestsOf = (
  { userId, source }: Adoption,
  parts: readonly TakeoverPart[],
  here: (userId: number, part: string) => string,
): PartDigests =>
  Object.fromEntries(
    parts.map((part) => [part.name, [digestThere(part, source), here(userId, part.name)]]),
  )
