/**
 * The words of a letter. `{name}` is replaced by a value. A paragraph with a missing value is left
 * out. A paragraph that is only `{link}` becomes a link in the HTML part and a separate line in the
 * text part.
 */
export type LetterWords = {
  /** A language tag, `de` or `pt-BR`. Null if unknown. */
  language: string | null
  subject: string
  /** The paragraphs. */
  body: readonly string[]
  /** Replaces the HTML that is otherwise made from the body. */
  html?: string
}
