import type { IncomingHttpHeaders } from 'node:http'
import { ENGLISH, type Language } from '../kernel/words/english.ts'
import { languageFor, preferredLanguage } from '../kernel/words/negotiate.ts'
import type { Settings } from '../settings/settings.ts'
import { knownLanguages, readLanguage } from '../settings/words-files.ts'

/** Anything with the headers of a request. */
export type Asking = { readonly headers: IncomingHttpHeaders }

export type Languages = ReturnType<typeof createLanguages>

type Needed = Pick<Settings, 'LANGUAGES' | 'LANGUAGE_CODE' | 'WORDS_DIR'>

/** Which language the service speaks to whom. */
export function createLanguages(settings: Needed) {
  const { LANGUAGES, LANGUAGE_CODE } = settings
  const read = new Map<string, Language>()
  const usual = load(LANGUAGE_CODE)
  // The usual language comes first: `*` means it.
  const offered = [...new Set([LANGUAGE_CODE, ...LANGUAGES])]
  const isNegotiated = LANGUAGES.length > 1
  if (isNegotiated) offered.forEach(load)
  const isEnglishOnly = !isNegotiated && LANGUAGE_CODE === ENGLISH.code
  /** Pages are in every language that we know, unless the settings choose some. */
  let ofPages: readonly string[] | undefined

  /** A file is read when its language is first spoken, and not again. */
  function load(code: string): Language {
    const earlier = read.get(code)
    if (earlier) return earlier
    const language = readLanguage(code, settings)
    read.set(code, language)
    return language
  }

  const chosen = ({ headers }: Asking, from: readonly string[]): string | null =>
    preferredLanguage(headers['accept-language'] ?? '', from)

  return {
    /** True if the answers depend on `Accept-Language`. */
    isNegotiated,
    usual,
    /** The languages that users can choose. */
    offered,

    /** The language of an answer. */
    of: (asking: Asking): Language =>
      isNegotiated ? load(chosen(asking, offered) ?? LANGUAGE_CODE) : usual,

    /** The language of a page: the one that is stored for its reader, else the one they ask for. */
    ofPage(asking: Asking, kept: string | null = null): Language {
      const own = isNegotiated && kept !== null ? languageFor(kept, offered) : undefined
      if (own !== undefined) return load(own)
      ofPages ??= isEnglishOnly ? knownLanguages(settings) : offered
      return load(chosen(asking, ofPages) ?? LANGUAGE_CODE)
    },

    /** The language to store for a new user. Null if they ask for none, or if there is no choice. */
    ofNewUser: (asking: Asking): string | null => (isNegotiated ? chosen(asking, offered) : null),

    /** The language of a user, as they have chosen it. It may no longer be offered. */
    named: (code: string | null): Language =>
      load((code !== null && languageFor(code, offered)) || LANGUAGE_CODE),
  }
}
