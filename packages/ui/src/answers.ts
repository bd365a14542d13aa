import type { AuthError } from 'latchkey-client'
import { EMAIL_MAX, NAME_MAX, PASSWORD_MIN, USERNAME_MAX } from '../../server/src/kernel/lengths.ts'
import { fill, formsOf, placeholdersIn, type Values } from '../../server/src/kernel/words/text.ts'
import { facts } from './facts.ts'
import { language } from './words.ts'

/**
 * What the service said, in the words that the page has for its codes. Words of the host have no code,
 * and some need a value that only the service knows: those are shown as they came.
 */
export function answersOf(
  texts: readonly string[],
  codes: readonly string[] = [],
  field = '',
): string {
  return joined(texts.map((text, nth) => answerOf(codes[nth] ?? '', field) ?? text))
}

/** Joins sentences. The full stop of Chinese and Japanese contains its own space. */
export const joined = (sentences: readonly string[]): string =>
  sentences
    .filter((one) => one !== '')
    .join(' ')
    .replaceAll('。 ', '。')

export const detailOf = ({ detail = '', codes }: AuthError): string =>
  answerOf(codes.detail ?? '', '') ?? detail

/** The pages have friendlier words for some. */
function answerOf(code: string, field: string): string | undefined {
  const text = facts.words[`error.${code}`] ?? facts.answers[code]
  if (text === undefined) return undefined
  const values = limitsOf(field)
  const isKnown = (name: string) => Object.hasOwn(values, name)
  if (!formsOf(text).flatMap(placeholdersIn).every(isKnown)) return undefined
  return fill(text, values, language)
}

const LIMITS: Readonly<Record<string, Values>> = {
  username: { max: USERNAME_MAX },
  email: { max: EMAIL_MAX },
  first_name: { max: NAME_MAX },
  last_name: { max: NAME_MAX },
}

/** The limits that a refusal of the field may name. */
function limitsOf(field: string): Values {
  if (/^(new_)?password[12]?$/.test(field)) return { min: PASSWORD_MIN }
  const source = facts.profile.find(({ name }) => name === field)?.source ?? field
  const declared = facts.userFields[source]
  if (!declared) return LIMITS[source] ?? {}
  const { type, min, max, max_length } = declared
  const longest = type === 'integer' || type === 'number' ? max : max_length
  return { ...(min !== null && { min }), ...(longest !== null && { max: longest }) }
}
