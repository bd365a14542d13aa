export const DEFAULT_LANGUAGE = 'en'

/** A header that is longer names no more languages than people read. */
const LONGEST = 200

/** The language that the visitor likes best among those that there are: `de` fits `de-AT`. */
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
