import { digest } from '../../../server/src/crypto/digests.ts'
import { isObject } from '../../../server/src/kernel/json-object.ts'
import type { Tx } from '../../../server/src/storage/handle.ts'
import type { Part } from '../map/part.ts'
import type { DjangoUser } from '../source/django-user.ts'

/** For each part, a digest of what the project had at the last import, and one of what was here afterwards. */
export type PartDigests = Readonly<Record<string, readonly [there: string, here: string]>>

/** Twelve characters are enough to tell two states of one user apart, and keep the table small. */
const LENGTH = 12

export const digestOf = (value: unknown): string =>
  value === null || value === undefined ? '' : digest(JSON.stringify(value)).slice(0, LENGTH)

/** Stands before a digest, which then differs from every other, so that the next import tries again. */
const INCOMPLETE = '?'

export const isIncomplete = (there = ''): boolean => there.startsWith(INCOMPLETE)

/** The digest of what the project had at the last import, even if it could not be imported. */
export const digestThen = (there = ''): string => there.replace(INCOMPLETE, '')

/** Empty if the project has nothing. */
export const digestThere = (part: Part, source: DjangoUser): string => digestOf(part.of(source))

/** The same for all parts, by their names. */
export const digestsThere = (parts: readonly Part[], source: DjangoUser): Record<string, string> =>
  Object.fromEntries(parts.map((part) => [part.name, digestThere(part, source)]))

/** The digest of what a user has here, by the name of the part. Empty if they have nothing. */
export type Here = (userId: number, part: string) => string

export async function digestsHere(
  parts: readonly Part[],
  userIds: readonly number[],
  tx: Tx,
): Promise<Here> {
  if (userIds.length === 0) return () => ''
  const marks = new Map<string, ReadonlyMap<number, unknown>>()
  for (const part of parts) marks.set(part.name, await part.marks(userIds, tx))
  return (userId, part) => digestOf(marks.get(part)?.get(userId))
}

/** What is stored about imported parts. A part with losses is stored as incomplete. */
export const digestsOf = (
  there: Readonly<Record<string, string>>,
  here: (part: string) => string,
  isComplete: (part: string) => boolean = () => true,
): PartDigests =>
  Object.fromEntries(
    Object.entries(there).map(([part, digest]) => [
      part,
      [isComplete(part) ? digest : `${INCOMPLETE}${digest}`, here(part)],
    ]),
  )

export function parsePartDigests(text: string): PartDigests {
  const parsed: unknown = JSON.parse(text)
  return isObject(parsed) ? (parsed as PartDigests) : {}
}
