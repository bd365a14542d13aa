import { languageFor } from '../kernel/words/negotiate.ts'
import type { Rule, Settings } from './settings.ts'
import { inspectFolder, knownLanguages } from './words-files.ts'

/** The first ones are enough to find the cause. */
const MOST = 5

function mistakesInWords({ WORDS_DIR }: Settings): string | null {
  if (WORDS_DIR === null) return null
  try {
    const mistakes = inspectFolder(WORDS_DIR).flatMap(({ code, wrong }) =>
      wrong.map((fault) => `${code}.json: ${fault}`),
    )
    return mistakes.slice(0, MOST).join('; ') || null
  } catch {
    return `the folder ${WORDS_DIR} cannot be read`
  }
}

/** English needs no file, so the usual start reads none. */
function wordlessLanguage(settings: Settings): string | undefined {
  const others = settings.LANGUAGES.filter((code) => code !== 'en')
  if (others.length === 0 || mistakesInWords(settings) !== null) return undefined
  const known = knownLanguages(settings)
  return others.find((code) => !known.includes(code))
}

export const languageRules: readonly Rule[] = [
  {
    about: ['LANGUAGE_CODE', 'LANGUAGES'],
    broken: ({ LANGUAGE_CODE, LANGUAGES }) => !LANGUAGES.includes(LANGUAGE_CODE),
    says: (_, { LANGUAGE_CODE, LANGUAGES }) =>
      `is ${LANGUAGE_CODE}, but LANGUAGES has only ${LANGUAGES.join(', ')}; add it, or choose one of them`,
  },
  {
    about: ['WORDS_DIR'],
    broken: mistakesInWords,
    says: (mistakes) => mistakes,
  },
  {
    about: ['LANGUAGES', 'WORDS_DIR'],
    broken: wordlessLanguage,
    says(code, settings) {
      const meant = languageFor(code, knownLanguages(settings))
      const hint = meant === undefined ? '' : `name ${meant} instead, or `
      return `there are no words in ${code}; ${hint}add ${code}.json to WORDS_DIR`
    },
  },
]
