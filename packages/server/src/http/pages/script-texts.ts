import type { Languages } from '../../core/languages.ts'
import type { PageFacts } from '../../kernel/page-facts.ts'
import { problems } from '../../kernel/problem-table.ts'
import type { Language } from '../../kernel/words/english.ts'

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
  isAdmin: boolean,
): Pick<PageFacts, 'words' | 'answers'> {
  const speaksIt = isNegotiated || usual.code === language
  const answers = Object.entries(words.answers).filter(([code]) => met.includes(code))
  return {
    words: { ...words.pages, ...(isAdmin && words.admin) },
    answers: speaksIt ? {} : Object.fromEntries(answers),
  }
}
