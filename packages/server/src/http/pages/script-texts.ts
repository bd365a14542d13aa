import type { Languages } from '../../core/languages.ts'
import type { PageFacts } from '../../kernel/page-facts.ts'
import { problems } from '../../kernel/problem-table.ts'
import type { Language } from '../../kernel/words/english.ts'
import { keyPages } from '../../kernel/words/keys.ts'
import { inviterPages } from '../../kernel/words/signup.ts'
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
  { admin, apiKeyScopes, invites }: Pick<PageFacts, 'admin' | 'apiKeyScopes' | 'invites'>,
): Pick<PageFacts, 'words' | 'answers'> {
  const speaksIt = isNegotiated || usual.code === language
  // Every byte of the first page counts, so it has no words of sections that nobody sees.
  const unused = {
    ...(apiKeyScopes.length === 0 && keyPages),
    ...(!invites && inviterPages),
  }
  const isUsed = (key: string) => !Object.hasOwn(unused, key)
  return {
    words: admin ? { ...words.pages, ...words.admin } : filter(words.pages, isUsed),
    answers: speaksIt ? {} : filter(words.answers, (code) => met.includes(code)),
  }
}

const filter = (texts: Texts, isKept: (key: string) => boolean): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([key]) => isKept(key)))
