import type { DjangoUser } from '../storage/django/django-user.ts'
import type { Tx } from '../storage/handle.ts'

/** A user of the source, and the same user here. */
export type Adoption = { readonly userId: number; readonly source: DjangoUser }

/** What could not be brought over, in words for the operator. */
export type Loss = { readonly source: DjangoUser; readonly what: string; readonly why: string }

/**
 * What a feature takes over from the tables of the original. Each part is brought over once, and
 * again when the source has changed. What was changed here since then wins.
 */
export type TakeoverPart = {
  readonly name: string
  /** What the source says. Null if it has nothing. */
  of(source: DjangoUser): unknown
  /** What stands here, by user. No entry, or null, if there is nothing. */
  marks(userIds: readonly number[], tx: Tx): Promise<ReadonlyMap<number, unknown>>
  /** Brings it over for users who are new here. */
  add(adoptions: readonly Adoption[], tx: Tx): Promise<readonly Loss[]>
  /** Puts what the source says now in the place of what was brought over before. */
  replace(adoption: Adoption, tx: Tx): Promise<readonly Loss[]>
  /** What the source says wins, even if it was changed here, too. */
  readonly winsThere?: boolean
  /** Whether the report counts the user among those who have it. Everybody with a value by default. */
  isCounted?(source: DjangoUser): boolean
  /** Both sides have changed it, and ours stays. What must not stay even so is removed here. */
  merge?(adoption: Adoption, tx: Tx): Promise<void>
}
