import { languageFor } from '../kernel/words/negotiate.ts'
import type { Rule, Settings } from './settings.ts'
import { inspectFolder, knownLanguages } from './words-files.ts'

/** The first ones are enough to find the cause. */
const MOST = 5

function mistakesInWords({ WORDS_DIR }: Settings): string[] {
  if (WORDS_DIR === null) return []
  try {
    return inspectFolder(WORDS_DIR)
      .flatMap(({ code, wrong }) => wrong.map((fault) => `${code}.json: ${fault}`))
      .slice(0, MOST)
  } catch {
    return [`the folder ${WORDS_DIR} cannot be read`]
  }
}

/** English needs no file, so the usual start reads none. */
function wordlessLanguage(settings: Settings): string | undefined {
  const others = settings.LANGUAGES.filter((code) => code !== 'en')
  if (others.length === 0 || mistakesInWords(settings).length > 0) return undefined
  const known = knownLanguages(settings)
  return others.find((code) => !known.includes(code))
}

export const languageRules: readonly Rule[] = [
  {
    about: ['LANGUAGE_CODE', 'LANGUAGES'],
    broken: ({ LANGUAGE_CODE, LANGUAGES }) => !LANGUAGES.includes(LANGUAGE_CODE),
    says: ({ LANGUAGE_CODE, LANGUAGES }) =>
      `is ${LANGUAGE_CODE}, but LANGUAGES has only ${LANGUAGES.join(', ')}; add it, or choose one of them`,
  },
  {
    about: ['WORDS_DIR'],
    broken: (settings) => mistakesInWords(settings).length > 0,
    says: (settings) => mistakesInWords(settings).join('; '),
  },
  {
    about: ['LANGUAGES', 'WORDS_DIR'],
    broken: (settings) => wordlessLanguage(settings) !== undefined,
    says(settings) {
      const code = wordlessLanguage(settings) ?? ''
      const meant = languageFor(code, knownLanguages(settings))
      const hint = meant === undefined ? '' : `name ${meant} instead, or `
      return `there are no words in ${code}; ${hint}add ${code}.json to WORDS_DIR`
    },
  },
]
