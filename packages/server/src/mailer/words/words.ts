/**
 * The words of a letter. `{name}` stands for a value. Blank lines separate paragraphs. A paragraph
 * with a missing value is left out. A paragraph that is only `{link}` becomes a button in the HTML
 * part and a line of its own in the text part.
 */
export type Words = {
  subject: string
  body: string
  /** Replaces the HTML that is otherwise made from the body. */
  html?: string
}
