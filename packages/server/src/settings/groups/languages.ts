import { list, optionalText } from '../../kernel/setting-kinds/compounds.ts'
import { textual } from '../../kernel/setting-kinds/kind.ts'
import { flag } from '../../kernel/setting-kinds/scalars.ts'
import { languageTag } from '../../kernel/words/language-tag.ts'
import { setting } from '../setting.ts'

const language = textual('a language, such as de or pt-BR', languageTag)

/** In which languages the service speaks, and how programs read its refusals. */
export const languages = {
  LANGUAGE_CODE: setting(
    language,
    'en',
    'The language for everybody who asks for none of `LANGUAGES`. It must be one of them.',
  ),
  LANGUAGES: setting(
    list(language, { least: 1 }),
    ['en'],
    'The languages of answers, pages and mails. With more than one, `Accept-Language` chooses, and users keep theirs. With English alone, the pages still speak every language that the package has. See docs/languages.md.',
  ),
  WORDS_DIR: setting(
    optionalText,
    null,
    'A folder with your own words, `<language>.json`, for further languages or to replace single words. See docs/languages.md.',
  ),
  ERROR_CODES: setting(
    flag,
    false,
    'Send `codes` beside the words of every error. Without it, a client gets them with the header `X-Error-Codes: 1`.',
  ),
}
