import { languageFor } from '../../../server/src/kernel/words/negotiate.ts'
import { knownLanguages } from '../../../server/src/settings/words-files.ts'
import { carried, type Dump, type Mapped, type Mapping, noteIf } from './mapping.ts'
import { toList } from './python-values.ts'

const LOCALE_MIDDLEWARE = 'django.middleware.locale.LocaleMiddleware'

/** Django lists this many by itself. A project that lists fewer has chosen them. */
const ALL_OF_DJANGO = 80

/** Without the middleware, Django speaks its usual language to everybody. */
export const languages: readonly Mapping[] = [
  { from: ['LANGUAGE_CODE', 'LANGUAGES', 'MIDDLEWARE', 'USE_I18N'], carry },
]

function carry(dump: Dump): readonly Mapped[] {
  if (dump.get('USE_I18N') === false) return []
  const known = knownLanguages({ WORDS_DIR: null })
  const code = String(dump.get('LANGUAGE_CODE') ?? 'en')
  const usual = languageFor(code, known)
  const isNegotiated = toList(dump.get('MIDDLEWARE') ?? []).includes(LOCALE_MIDDLEWARE)
  const listed = toList(dump.get('LANGUAGES') ?? []).map(codeOf)
  const isChosen = listed.length > 0 && listed.length < ALL_OF_DJANGO
  const asked = isNegotiated && isChosen ? listed : []
  const spoken = asked.flatMap((one) => languageFor(one, known) ?? [])
  const all = isNegotiated && !isChosen ? known : spoken
  const lacking = [code, ...asked].filter((one) => languageFor(one, known) === undefined)
  const offered = [...new Set([usual ?? 'en', ...all])]
  return [
    ...(usual !== undefined && usual !== 'en' ? [carried('LANGUAGE_CODE', usual)] : []),
    ...(offered.join() === 'en' ? [] : [carried('LANGUAGES', offered)]),
    ...noteIf(
      lacking.length > 0,
      'LANGUAGES',
      `there are no words in ${[...new Set(lacking)].join(', ')}; translate them in a folder and name it in WORDS_DIR`,
    ),
  ]
}

/** Django lists pairs: `('de', 'German')`. */
const codeOf = (entry: unknown): string => String(Array.isArray(entry) ? entry[0] : entry)
