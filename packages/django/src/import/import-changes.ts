import type { Audit, Operator } from '../../../server/src/features/audit/audit.ts'
import type { Users } from '../../../server/src/features/users/users.ts'
import type { Tx } from '../../../server/src/storage/handle.ts'
import { rememberedAddresses } from '../map/addresses.ts'
import type { Adoption, Part } from '../map/part.ts'
import type { DjangoUser } from '../source/django-user.ts'
import type { BatchWork } from './counts.ts'
import { changeImportedUser, type ImportedUser } from './import-queries.ts'
import { LAST_SUPERUSER, type LastSuperuser } from './last-superuser.ts'
import {
  digestsHere,
  digestsOf,
  digestsThere,
  digestThere,
  type Here,
  isIncomplete,
  type PartDigests,
  parsePartDigests,
} from './part-digests.ts'

/** The parts that were imported, and whether each is complete. */
type Imported = ReadonlyMap<Part, boolean>

type Needs = {
  audit: Audit
  users: Pick<Users, 'lock'>
  parts: readonly Part[]
  operator: Operator
  lastSuperuser: LastSuperuser
}

/** Imports what has changed in the project for a user who was imported before. */
export function createImportChanges(needs: Needs) {
  const { audit, users, parts, operator, lastSuperuser } = needs

  return async (row: ImportedUser, source: DjangoUser, work: BatchWork): Promise<void> => {
    // A user who was deleted here stays deleted.
    if (row.user_id === null) return
    const { counts, findings, tx } = work
    const adoption = { userId: row.user_id, source }
    const before = parsePartDigests(row.parts)
    const changed = parts.filter((part) => isOtherThere(part, source, before) || part.isDue(source))
    const isRetry = (part: Part) => !isNewThere(part, source, before)
    if (changed.length > 0) {
      const { userId } = adoption
      // A change here at this moment must not be overwritten. A user who is deleted stays deleted.
      const user = await users.lock(userId, tx)
      if (!user) return
      const heldBack = await lastSuperuser.heldBack(user, { changed, source }, tx)
      for (const { name } of heldBack) await findings.kept(name, source, LAST_SUPERUSER)
      if (work.waitsForOthers && heldBack.length > 0) return
      const due = changed.filter((part) => !heldBack.includes(part))
      const earlier = await digestsHere(due, [userId], tx)
      const imported = await put(due, adoption, { before, here: earlier }, work)
      const here = await digestsHere(due, [userId], tx)
      await rememberAgain(row, adoption, { before, imported, here }, tx)
      const isNews = (part: Part) => imported.has(part) && (imported.get(part) || !isRetry(part))
      const isOther = ({ name }: Part) => earlier(userId, name) !== here(userId, name)
      const news = due.filter((part) => isNews(part) || isOther(part))
      await record(userId, news, tx)
      if (news.length > 0) return counts.note('updated', 1)
    }
    if (changed.every(isRetry)) counts.note('unchanged', 1)
  }

  async function record(userId: number, changed: readonly Part[], tx: Tx): Promise<void> {
    // A login there is no change by an operator, and there are many.
    const fields = changed.map(({ name }) => name).filter((name) => name !== 'last_login')
    if (fields.length === 0) return
    const details = { by: 'import', fields: fields.join(',') }
    await audit.record({ userId, event: 'user_changed', details, operator }, tx)
  }

  async function put(
    due: readonly Part[],
    adoption: Adoption,
    { before, here }: { before: PartDigests; here: Here },
    { findings, tx }: BatchWork,
  ): Promise<Imported> {
    const { userId, source } = adoption
    const imported = new Map<Part, boolean>()
    for (const part of due) {
      await findings.forget([source.key], part.name)
      const then = before[part.name]?.[1] ?? ''
      if (part.winsThere || then === here(userId, part.name)) {
        const losses = await part.put([adoption], tx)
        await findings.lost(part.name, losses)
        imported.set(part, losses.length === 0)
      } else {
        await part.merge(adoption, tx)
        if (isNewThere(part, source, before)) await findings.kept(part.name, source)
      }
    }
    return imported
  }

  async function rememberAgain(
    row: ImportedUser,
    adoption: Adoption,
    { before, imported, here }: { before: PartDigests; imported: Imported; here: Here },
    tx: Tx,
  ): Promise<void> {
    const parts = [...imported.keys()]
    const digests = digestsOf(
      digestsThere(parts, adoption.source),
      (part) => here(adoption.userId, part),
      (name) => parts.some((part) => part.name === name && imported.get(part)),
    )
    const isMoved = parts.some(({ name }) => name === 'addresses')
    await changeImportedUser(tx, {
      source_key: row.source_key,
      email: row.email,
      address: row.address,
      ...(isMoved && rememberedAddresses(adoption.source)),
      parts: JSON.stringify({ ...before, ...digests }),
    })
  }
}

const isOtherThere = (part: Part, source: DjangoUser, before: PartDigests): boolean =>
  before[part.name]?.[0] !== digestThere(part, source)

/** False for another attempt at what the last import could not import. */
const isNewThere = (part: Part, source: DjangoUser, before: PartDigests): boolean =>
  isOtherThere(part, source, before) && !isIncomplete(before[part.name]?.[0])
