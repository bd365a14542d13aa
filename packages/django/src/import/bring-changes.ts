import type { Tx } from '../../../server/src/storage/handle.ts'
import { rememberedAddresses } from '../map/addresses.ts'
import type { Adoption, Part } from '../map/part.ts'
import type { DjangoUser } from '../source/django-user.ts'
import type { BatchWork } from './counts.ts'
import { changeImportedUser, type ImportedUser } from './import-queries.ts'
import {
  digestsHere,
  digestsOf,
  digestThere,
  INCOMPLETE,
  type PartDigests,
  parsePartDigests,
} from './part-digests.ts'

/** For each part that was brought over, whether all of it could be. */
type Brought = ReadonlyMap<Part, boolean>

/** Brings over what has changed at the source of a user who came before. */
export function createBringChanges(parts: readonly Part[]) {
  return async (row: ImportedUser, source: DjangoUser, work: BatchWork): Promise<void> => {
    // Deleted here: stays deleted.
    if (row.user_id === null) return
    const { counts, tx } = work
    const adoption = { userId: row.user_id, source }
    const before = parsePartDigests(row.parts)
    const changed = parts.filter((part) => before[part.name]?.[0] !== digestThere(part, source))
    const isRetry = ({ name }: Part) => before[name]?.[0] === INCOMPLETE
    if (changed.length > 0) {
      const brought = await bring(changed, adoption, before, work)
      await rememberAgain(row, adoption, { before, brought }, tx)
      const isNews = ([part, isComplete]: [Part, boolean]) => isComplete || !isRetry(part)
      if ([...brought].some(isNews)) return counts.note('updated', 1)
    }
    if (changed.every(isRetry)) counts.note('unchanged', 1)
  }

  async function bring(
    changed: readonly Part[],
    adoption: Adoption,
    before: PartDigests,
    { findings, tx }: BatchWork,
  ): Promise<Brought> {
    const { userId, source } = adoption
    const brought = new Map<Part, boolean>()
    const here = await digestsHere(changed, [userId], tx)
    for (const part of changed) {
      await findings.forget(source.key, part.name)
      const [there, then] = before[part.name] ?? ['', '']
      if (part.winsThere || then === here(userId, part.name)) {
        const losses = await part.put([adoption], tx)
        await findings.lost(part.name, losses)
        brought.set(part, losses.length === 0)
      } else {
        await part.merge(adoption, tx)
        if (there !== INCOMPLETE) await findings.kept(part.name, source)
      }
    }
    return brought
  }

  async function rememberAgain(
    row: ImportedUser,
    adoption: Adoption,
    { before, brought }: { before: PartDigests; brought: Brought },
    tx: Tx,
  ): Promise<void> {
    const parts = [...brought.keys()]
    const here = await digestsHere(parts, [adoption.userId], tx)
    const isComplete = (part: Part) => brought.get(part) === true
    const isMoved = parts.some(({ name }) => name === 'addresses')
    await changeImportedUser(tx, {
      source_key: row.source_key,
      email: row.email,
      address: row.address,
      ...(isMoved && rememberedAddresses(adoption.source)),
      parts: JSON.stringify({ ...before, ...digestsOf(adoption, parts, here, isComplete) }),
    })
  }
}
