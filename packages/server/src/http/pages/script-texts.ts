import type { Languages } from '../../core/languages.ts'
import type { PageFacts } from '../../kernel/page-facts.ts'
import { problems } from '../../kernel/problem-table.ts'
import type { Language } from '../../kernel/words/english.ts'
import { keyPages } from '../../kernel/words/keys.ts'
import type { Texts } from '../../kernel/words/text.ts'

/** People meet these. The others are for programs, or the page has one text for all of them. */
const MET: readonly number[] = [400, 403, 404]
const met = Object.entries(problems).flatMap(([code, { status }]) =>
  MET.includes(status) ? code : [],
)

/**
 * What the script of a page says: its words and, if the API speaks another language than the page,
 * refusals by their codes.
 */
export function scriptTexts(
  { usual, isNegotiated }: Languages,
  { code: language, words }: Language,
  { admin, apiKeyScopes }: Pick<PageFacts, 'admin' | 'apiKeyScopes'>,
): Pick<PageFacts, 'words' | 'answers'> {
  const speaksIt = isNegotiated || usual.code === language
  const hasKeys = admin !== undefined || apiKeyScopes.length > 0
  const pages = hasKeys ? words.pages : without(words.pages, keyPages)
  return {
    words: { ...pages, ...(admin && words.admin) },
    answers: speaksIt ? {} : filter(words.answers, (code) => met.includes(code)),
  }
}

/** Every byte of the first page counts, so it has no words of sections that nobody sees. */
const without = (texts: Texts, unused: Texts): Texts =>
  filter(texts, (key) => !Object.hasOwn(unused, key))

const filter = (texts: Texts, isKept: (key: string) => boolean): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([key]) => isKept(key)))
