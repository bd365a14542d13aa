/** The rest of a longer header is ignored. Nobody reads that many languages. */
const LONGEST = 500

type Wish = { readonly tag: string; readonly weight: number }

/**
 * The language of the list that the `Accept-Language` header prefers, or null if it names none of
 * them. `pt-PT` accepts `pt`, and `pt` accepts `pt-BR`. `*` accepts the first language of the list
 * that the header does not refuse.
 */
export function preferredLanguage(header: string, available: readonly string[]): string | null {
  const wishes = header.slice(0, LONGEST).split(',').map(readWish)
  const refused = wishes.filter(({ weight }) => weight === 0).map(({ tag }) => tag)
  const open = available.filter((language) => !refused.includes(language.toLowerCase()))
  const wanted = wishes
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
  for (const { tag } of wanted) {
    const found = tag === '*' ? open[0] : languageFor(tag, open)
    if (found !== undefined) return found
  }
  return null
}

/** A weight that cannot be read is 0, so the language is not chosen. */
function readWish(range: string): Wish {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((one) => /^q\s*=/.test(one))
  const weight = given === undefined ? 1 : Number(given.slice(given.indexOf('=') + 1))
  return { tag, weight: weight > 0 && weight <= 1 ? weight : 0 }
}

const TRADITIONAL = /^zh-(hant|tw|hk|mo)\b/

/** Finds the tag itself, then shorter ones, then another variant of the same language. */
export function languageFor(tag: string, available: readonly string[]): string | undefined {
  const parts = tag.toLowerCase().split('-')
  const named = (one: string) => available.find((language) => language.toLowerCase() === one)
  for (let length = parts.length; length > 1; length--) {
    const found = named(parts.slice(0, length).join('-'))
    if (found !== undefined) return found
  }
  const [language = ''] = parts
  // The two ways to write Chinese are not variants of each other.
  if (language === 'zh') {
    return named(TRADITIONAL.test(tag.toLowerCase()) ? 'zh-hant' : 'zh-hans') ?? named('zh')
  }
  return named(language) ?? available.find((one) => one.toLowerCase().startsWith(`${language}-`))
}
