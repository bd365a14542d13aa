import type { Text } from './words/text.ts'

/**
 * A refusal: its status, the place of its text in the body, and its words in English. Some clients
 * compare the words, so they never change.
 */
export type Row = {
  readonly status: number
  /** The key of the text. `field` stands for the name of a field that the caller gives. */
  readonly at: string
  readonly words: Text
  /** Stands in the body, too, since some clients compare it. */
  readonly code?: string
}

export const at = <const At extends string, const T extends Text>(at: At, words: T) =>
  ({ status: 400, at, words }) as const
export const field = <const T extends Text>(words: T) => at('field', words)
export const general = <const T extends Text>(words: T) => at('non_field_errors', words)
export const detail = <const S extends number, const T extends Text>(status: S, words: T) =>
  ({ status, at: 'detail', words }) as const
export const coded = <const S extends number, const C extends string, const T extends Text>(
  status: S,
  code: C,
  words: T,
) => ({ ...detail(status, words), code }) as const
