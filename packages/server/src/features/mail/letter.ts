import type { LetterName } from '../../mailer/words/english.ts'

export type { LetterName } from '../../mailer/words/english.ts'

/** What may be written to a user; the words are in `mail/words`. */
export type Letter = {
  to: string
  template: LetterName
  /** Names, links and codes that stand in the text. */
  values: Record<string, string>
}
