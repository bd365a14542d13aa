/**
 * The words of a letter. `{name}` stands for a value. Blank lines separate paragraphs. A paragraph
 * with a missing value is left out. A paragraph that is only `{link}` becomes a button in the HTML
 * part and a line of its own in the text part.
 */
export type Words = {
  /** A language tag, `de` or `pt-BR`. Null if nobody has said it. */
  language: string | null
  subject: string
  body: string
  /** Replaces the HTML that is otherwise made from the body. */
  html?: string
}
