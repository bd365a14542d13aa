import type { UpToAdministration } from '../../../server/src/features/administration/feature.ts'
import { nameKey } from '../../../server/src/kernel/names.ts'
import type { Tx } from '../../../server/src/storage/handle.ts'
import { rememberedAddresses } from '../map/addresses.ts'
import { type PartLoss, readNewUser } from '../map/new-user.ts'
import type { Adoption, Part } from '../map/part.ts'
import { partsOf } from '../map/parts.ts'
import type { DjangoUser } from '../source/django-user.ts'
import { pkOfKeyText } from '../source/user-model.ts'
import { textIn } from '../source/values.ts'
import type { BatchWork, Counts } from './counts.ts'
import { createFindings } from './findings.ts'
import { createImportChanges } from './import-changes.ts'
import type { ImportOrder } from './import-order.ts'
import { addImportedUsers, dropImportedUser, type ImportedUser } from './import-queries.ts'
import { createLastSuperuser, LAST_SUPERUSER } from './last-superuser.ts'
import { digestsHere, digestsOf, digestsThere, type Here } from './part-digests.ts'

/** Users of the project in a range of keys. */
type Batch = {
  readonly users: readonly DjangoUser[]
  /** The users in this range who were imported before. Those not among `users` are gone. */
  readonly imported: readonly ImportedUser[]
  readonly waitsForOthers?: boolean
}

export type ImportUsers = ReturnType<typeof createImportUsers>

type FoundLoss = PartLoss & { readonly source: DjangoUser }

/** A user who was added, with the digests of what the project has of them. */
type Added = Adoption & { readonly there: Readonly<Record<string, string>> }

/** Imports one batch: adds new users, imports changes, and removes users who are gone. */
export function createImportUsers(
  house: UpToAdministration,
  { source: project, model, rules, operator, isForced }: ImportOrder,
) {
  const { adoptUsers, settings, everyFeature, audit, events, users } = house
  const parts = partsOf(house)
  const lastSuperuser = createLastSuperuser({ isForced })
  const importChanges = createImportChanges({ audit, users, parts, operator, lastSuperuser })

  return async (batch: Batch, counts: Counts, tx: Tx): Promise<void> => {
    const { users: sources, imported, waitsForOthers = false } = batch
    const findings = createFindings(tx)
    const work = { counts, findings, tx, waitsForOthers }
    const before = new Map(imported.map((row) => [row.source_key, row]))

    const young = sources.filter(({ key }) => !before.has(key))
    await findings.forget(
      young.map(({ key }) => key),
      'user',
    )
    const { adoptions, losses } = await add(young, tx)
    for (const { part, ...loss } of losses) await findings.lost(part, [loss])
    const havingThere = (part: Part) => adoptions.filter(({ there }) => there[part.name] !== '')
    for (const part of parts) {
      const theirs = havingThere(part)
      if (theirs.length > 0 && !part.comesWithUser)
        await findings.lost(part.name, await part.put(theirs, tx))
    }
    const ids = adoptions.map(({ userId }) => userId)
    const here = await digestsHere(parts, ids, tx)
    for (const part of parts) {
      // If all rows of a part were lost, nothing is here.
      const arrived = havingThere(part).filter(
        ({ userId }) => part.comesWithUser || here(userId, part.name) !== '',
      )
      counts.note(part.name, arrived.filter(({ source }) => part.isCounted(source)).length)
    }
    await remember(adoptions, losses, here, tx)
    counts.note('added', adoptions.length)

    for (const source of sources) {
      const row = before.get(source.key)
      if (row) await importChanges(row, source, work)
    }
    const present = new Set(sources.map(({ key }) => key))
    for (const row of imported) {
      if (!present.has(row.source_key)) await removeGone(row, work)
    }
  }

  async function add(
    sources: readonly DjangoUser[],
    tx: Tx,
  ): Promise<{ adoptions: Added[]; losses: FoundLoss[] }> {
    const read = sources.map((source) => readNewUser(source, settings.USER_FIELDS))
    const onTaken = rules.username === 'rename' ? 'rename' : 'leave-out'
    const added = await adoptUsers.add(
      read.map(({ user }) => user),
      { onTaken, namesThere },
      tx,
    )
    const adoptions: Added[] = []
    const losses: FoundLoss[] = []
    for (const [i, source] of sources.entries()) {
      const { userId = null, losses: lost = [] } = added[i] ?? {}
      if (userId !== null) {
        adoptions.push({ userId, source, there: digestsThere(parts, source) })
        losses.push(...(read[i]?.losses ?? []).map((loss) => ({ source, ...loss })))
      }
      losses.push(...lost.map(({ kind, ...loss }) => ({ source, part: kind, ...loss })))
    }
    return { adoptions, losses }
  }

  /** An index finds names that are spelled like this or in lower case, which is enough. */
  async function namesThere(names: readonly string[]): Promise<ReadonlySet<string>> {
    const { table, usernameColumn, columns } = model
    if (columns.every(({ name }) => name !== usernameColumn)) return new Set()
    const spelled = [...new Set([...names, ...names.map(nameKey)])]
    const rows = await project.rowsWith(table, usernameColumn, spelled)
    return new Set(rows.map((row) => nameKey(textIn(row[usernameColumn]))))
  }

  async function remember(
    adoptions: readonly Added[],
    losses: readonly FoundLoss[],
    here: Here,
    tx: Tx,
  ): Promise<void> {
    if (adoptions.length === 0) return
    const lost = new Set(losses.map(({ part, source }) => `${source.key} ${part}`))
    const rows = adoptions.map(({ userId, source, there }) => {
      const digests = digestsOf(
        there,
        (part) => here(userId, part),
        (part) => !lost.has(`${source.key} ${part}`),
      )
      const row = { source_key: source.key, user_id: userId, parts: JSON.stringify(digests) }
      return { ...rememberedAddresses(source), ...row }
    })
    await addImportedUsers(tx, rows)
  }

  /** Deletes a user who was deleted in the project, even if they have changed something here. */
  async function removeGone(
    { source_key, user_id }: ImportedUser,
    { counts, findings, tx }: BatchWork,
  ): Promise<void> {
    const user = user_id === null ? undefined : await users.lock(user_id, tx)
    if (user && (await lastSuperuser.mustStay(user, tx))) {
      const pk = pkOfKeyText(source_key) ?? source_key
      return findings.kept('user', { key: source_key, pk }, LAST_SUPERUSER)
    }
    if (user) {
      // The user knows: they were deleted in the project. So no mail is sent.
      await everyFeature.erase(user, tx)
      const { id: userId, uuid } = user
      const details = { by: 'import' }
      await audit.record({ userId, uuid, event: 'user_deleted', details, operator }, tx)
      await events.note('deleted', user, { by: 'import' }, tx)
      counts.note('removed', 1)
    }
    await dropImportedUser(tx, source_key)
    await findings.forgetAll(source_key)
  }
}
