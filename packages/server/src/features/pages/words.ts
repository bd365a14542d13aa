/** The words of the pages in one language, by key. `packages/ui/public/words` has them. */
export type Words = {
  /** With values for its `{names}`. */
  say(key: string, values?: Readonly<Record<string, string>>): string
  /** All of them, for the scripts. */
  all: Readonly<Record<string, string>>
}

export const createWords = (all: Readonly<Record<string, string>>): Words => ({
  say: (key, values = {}) =>
    (all[key] ?? key).replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole),
  all,
})
