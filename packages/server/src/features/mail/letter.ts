import type { LetterName } from '../../mailer/words/english.ts'

export type { LetterName } from '../../mailer/words/english.ts'

/** A letter to a user. Its words are in `mailer/words/`. */
export type Letter = {
  to: string
  template: LetterName
  /** The names, links and codes in the text. */
  values: Record<string, string>
}

/** A letter that is about the account of a user. While it waits, it goes with the account. */
export type LetterOf = Letter & { userId: number | null }
