import { fault } from '../kernel/problems.ts'
import { languageFor } from '../kernel/words/negotiate.ts'
import { type Field, text } from './fields.ts'

/** Longer than any tag of a language. */
const LANGUAGE_MAX = 35

/**
 * One of the languages that the service offers, or a tag that means one of them, such as that of a
 * browser: `de-AT` means `de`.
 */
export const language = (offered: readonly string[]): Field<string> =>
  text({
    max: LANGUAGE_MAX,
    normalize: (given) => languageFor(given, offered) ?? given,
    check: (value) => (offered.includes(value) ? [] : [fault('not_a_choice', { input: value })]),
    schema: { enum: offered },
  })
