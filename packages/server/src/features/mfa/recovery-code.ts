import { randomBuffer } from '../../kernel/random.ts'

/** 32 characters of five bits each. Of characters that look alike only one is included. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 10

/** 50 random bits, in two groups that are easy to read aloud. */
export function newRecoveryCode(): string {
  const characters = Array.from(randomBuffer(LENGTH), (byte) => ALPHABET.charAt(byte & 31))
  return `${characters.slice(0, LENGTH / 2).join('')}-${characters.slice(LENGTH / 2).join('')}`
}

/** Our codes, and imported codes of dj-rest-auth: eight hex digits. */
const FORM = new RegExp(`^(?:[${ALPHABET}]{${LENGTH}}|[0-9a-f]{8})$`)

/** The one spelling of a typed code; undefined if it cannot be a code. */
export function canonicalRecoveryCode(typed: string): string | undefined {
  const code = withoutSeparators(typed).toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return FORM.test(code) ? code : undefined
}

/** Codes are shown in groups, and people copy the separators. */
export const withoutSeparators = (typed: string): string => typed.replaceAll(/[\s-]/g, '')
