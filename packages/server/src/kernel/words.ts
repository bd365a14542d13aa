type Texts = Readonly<Record<string, string>>
type Values = Readonly<Record<string, string | number>>

/** The words of the pages in one language. `packages/ui/public/words` has them. */
export type Words = ReturnType<typeof createWords>

/** The service uses it for the pages that it writes, and the script of the pages for the rest. */
export const createWords = (all: Texts) => ({
  /** All words, for the script. */
  all,

  /** The text of a key, with values for its `{names}`. */
  say: (key: string, values: Values = {}): string =>
    (all[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole)),

  /** Translates a text of the API. The English text is its key, with `{n}` for each number. */
  translate(text: string): string {
    const numbers = text.match(/\d+/g) ?? []
    const known = all[text.replace(/\d+/g, '{n}')] ?? text
    return known.replaceAll('{n}', () => numbers.shift() ?? '')
  },
})
