/** The words of the pages in one language. `packages/ui/public/words` has them. */
export type Words = {
  /** The text of a key, with values for its `{names}`. */
  say(key: string, values?: Readonly<Record<string, string>>): string
  /** A text of the API in this language. The English text is its key, with `{n}` for each number. */
  translate(text: string): string
  /** All of them, for the scripts. */
  all: Readonly<Record<string, string>>
}

export function createWords(all: Readonly<Record<string, string>>): Words {
  return {
    all,

    say: (key, values = {}) =>
      (all[key] ?? key).replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole),

    translate(text) {
      const numbers = text.match(/\d+/g) ?? []
      const known = all[text.replace(/\d+/g, '{n}')] ?? text
      return known.replaceAll('{n}', () => numbers.shift() ?? '')
    },
  }
}
