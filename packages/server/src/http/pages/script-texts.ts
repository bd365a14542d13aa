import type { Languages } from '../../core/languages.ts'
import type { PageFacts } from '../../kernel/page-facts.ts'
import { problems } from '../../kernel/problem-table.ts'
import { accountPages } from '../../kernel/words/account-pages.ts'
import type { Language } from '../../kernel/words/english.ts'
import { plainPages } from '../../kernel/words/plain-pages.ts'
import type { Texts } from '../../kernel/words/text.ts'

/** People meet these. The others are for programs, or the page has one text for all of them. */
const MET: readonly number[] = [400, 403, 404]
const met = Object.entries(problems).flatMap(([code, { status }]) =>
  MET.includes(status) ? code : [],
)

/** The first page is small: the account page and the pages for operators bring their own words. */
export type ScriptPart = 'entry' | 'account' | 'admin'

const untold = {
  entry: { ...plainPages, ...accountPages },
  account: plainPages,
  admin: plainPages,
}

/**
 * What the script of a page says: its words and, if the API speaks another language than the page,
 * refusals by their codes.
 */
export function scriptTexts(
  { usual, isNegotiated }: Languages,
  { code: language, words }: Language,
  part: ScriptPart,
): Pick<PageFacts, 'words' | 'answers'> {
  const speaksIt = isNegotiated || usual.code === language
  return {
    words: {
      ...only(words.pages, (key) => !Object.hasOwn(untold[part], key)),
      ...(part === 'admin' && words.admin),
    },
    answers: speaksIt ? {} : only(words.answers, (code) => met.includes(code)),
  }
}

const only = (texts: Texts, isTold: (key: string) => boolean): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([key]) => isTold(key)))
