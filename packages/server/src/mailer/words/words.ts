/**
 * What a letter says. `{name}` stands for a value. Paragraphs are divided by blank lines; one in
 * which a value is missing is left out, and one that is nothing but `{link}` becomes the button of
 * the HTML part and a line of its own in the text part.
 */
export type Words = {
  subject: string
  body: string
  /** Instead of the HTML that is made from the body. */
  html?: string
}
