import type { Adoptable, Loss } from '../../../server/src/core/adopt.ts'
import type { Tx } from '../../../server/src/storage/handle.ts'
import type { DjangoUser } from '../source/django-user.ts'

/** A user of the project, and the same user here. */
export type Adoption = { readonly userId: number; readonly source: DjangoUser }

/** Data of a user as Latchkey adopts it, and what could not be read of it. */
export type Reading<Given> = { readonly given: Given; readonly losses: readonly Loss[] }

export type SourceLoss = Loss & { readonly source: DjangoUser }

/** How one kind of data is read from the project. */
type Mapping<Given> = {
  /** Reports use it, and the digests of imported users. */
  readonly name: string
  readonly adopt: Adoptable<Given>
  /** What the project says, for telling whether it has changed. Null if it has nothing. */
  of(source: DjangoUser): unknown
  read(source: DjangoUser): Reading<Given> | Promise<Reading<Given>>
  /** A new user brings it along, so only changes are put. */
  readonly comesWithUser?: boolean
  /** The project wins, even if it was changed here, too. */
  readonly winsThere?: boolean
  /** Whether to import it again although this user has not changed there. */
  isDue?(source: DjangoUser): boolean
  /** Whether the report counts a user for whom the project has something. By default it does. */
  isCounted?(source: DjangoUser): boolean
}

/** A kind of data that is imported on its own, and again when it has changed. */
export type Part = ReturnType<typeof createPart>

export function createPart<Given>(mapping: Mapping<Given>) {
  const { name, adopt, of, read } = mapping
  const { comesWithUser = false, winsThere = false } = mapping
  return {
    name,
    of,
    comesWithUser,
    winsThere,
    isDue: mapping.isDue ?? (() => false),
    isCounted: mapping.isCounted ?? (() => true),
    marks: adopt.marks,

    async put(adoptions: readonly Adoption[], tx: Tx): Promise<SourceLoss[]> {
      const sources = new Map(adoptions.map(({ userId, source }) => [userId, source]))
      const brought: { userId: number; given: Given }[] = []
      const losses: SourceLoss[] = []
      for (const { userId, source } of adoptions) {
        const reading = await read(source)
        brought.push({ userId, given: reading.given })
        losses.push(...reading.losses.map((loss) => ({ source, ...loss })))
      }
      for (const { userId, ...loss } of await adopt.put(brought, tx)) {
        const source = sources.get(userId)
        if (source) losses.push({ source, ...loss })
      }
      return losses
    },

    /** Both sides changed it, and ours wins. */
    async merge({ userId, source }: Adoption, tx: Tx): Promise<void> {
      if (adopt.merge) await adopt.merge({ userId, given: (await read(source)).given }, tx)
    },
  }
}
