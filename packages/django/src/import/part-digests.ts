import { digest } from '../../../server/src/crypto/digests.ts'
import { isObject } from '../../../server/src/kernel/json-object.ts'
import type { Tx } from '../../../server/src/storage/handle.ts'
import type { Adoption, Part } from '../map/part.ts'
import type { DjangoUser } from '../source/django-user.ts'

/** For each part, a digest of what the project had at the last import, and one of what was here afterwards. */
export type PartDigests = Readonly<Record<string, readonly [there: string, here: string]>>

/** Twelve characters are enough to tell two states of one user apart, and keep the table small. */
const LENGTH = 12

const digestOf = (value: unknown): string =>
  value === null || value === undefined ? '' : digest(JSON.stringify(value)).slice(0, LENGTH)

/** Differs from every digest, so that the next import tries again. */
export const INCOMPLETE = '?'

export const digestThere = (part: Part, source: DjangoUser): string => digestOf(part.of(source))

/** The digest of what a user has here, for each part. */
export async function digestsHere(
  parts: readonly Part[],
  userIds: readonly number[],
  tx: Tx,
): Promise<(userId: number, part: string) => string> {
  if (userIds.length === 0) return () => ''
  const marks = new Map<string, ReadonlyMap<number, unknown>>()
  for (const part of parts) marks.set(part.name, await part.marks(userIds, tx))
  return (userId, part) => digestOf(marks.get(part)?.get(userId))
}

/** What is stored about imported parts. A part with losses is stored as incomplete. */
export const digestsOf = (
  { userId, source }: Adoption,
  parts: readonly Part[],
  here: (userId: number, part: string) => string,
  isComplete: (part: Part) => boolean = () => true,
): PartDigests =>
  Object.fromEntries(
    parts.map((part) => [
      part.name,
      [isComplete(part) ? digestThere(part, source) : INCOMPLETE, here(userId, part.name)],
    ]),
  )

export function parsePartDigests(text: string): PartDigests {
  const parsed: unknown = JSON.parse(text)
  return isObject(parsed) ? (parsed as PartDigests) : {}
}
