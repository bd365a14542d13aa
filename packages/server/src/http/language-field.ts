import { fault } from '../kernel/problems.ts'
import { type Field, text } from './fields.ts'

/** Longer than any tag of a language. */
const LANGUAGE_MAX = 35

/** One of the languages that the service offers, in upper or lower case. */
export const language = (offered: readonly string[]): Field<string> =>
  text({
    max: LANGUAGE_MAX,
    normalize: (given) => offered.find((one) => one.toLowerCase() === given.toLowerCase()) ?? given,
    check: (value) => (offered.includes(value) ? [] : [fault('not_a_choice', { input: value })]),
    schema: { enum: offered },
  })
