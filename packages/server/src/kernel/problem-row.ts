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
  /** The code in the body, for clients that compare it. `true` stands for the name of the row. */
  readonly code?: string | true
}

/** The part of the body beside the text. */
export const codeInBody = (name: string, { code }: Row): { code?: string } =>
  code === undefined ? {} : { code: code === true ? name : code }

export const at = <const At extends string, const T extends Text>(at: At, words: T) =>
  ({ status: 400, at, words }) as const
export const field = <const T extends Text>(words: T) => at('field', words)
export const general = <const T extends Text>(words: T) => at('non_field_errors', words)
export const detail = <const T extends Text>(status: number, words: T) =>
  ({ status, at: 'detail', words }) as const
/** `code` is the one that clients know, if it is not the name of the row. */
export const coded = <const T extends Text>(status: number, words: T, code: string | true = true) =>
  ({ ...detail(status, words), code }) as const
