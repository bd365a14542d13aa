export const DEFAULT_LANGUAGE = 'en'

/** The rest of a longer header is ignored. Nobody reads that many languages. */
const LONGEST = 200

/** The visitor's preferred language among the available ones: `de` fits `de-AT`. */
export function chooseLanguage(accepted: string, available: readonly string[]): string {
  const wanted = accepted
    .slice(0, LONGEST)
    .split(',')
    .map(readWish)
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
  for (const { tag } of wanted) {
    const [language = ''] = tag.split('-')
    if (available.includes(language)) return language
  }
  return DEFAULT_LANGUAGE
}

function readWish(range: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((one) => one.startsWith('q='))
  return { tag, weight: given === undefined ? 1 : Number(given.slice(2)) || 0 }
}
