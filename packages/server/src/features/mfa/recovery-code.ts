import { randomBuffer } from '../../kernel/random.ts'

/** 32 characters of five bits each. Of characters that look alike only one is included. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 10

/** 50 random bits, in two groups that are easy to read aloud. */
export function newRecoveryCode(): string {
  const characters = Array.from(randomBuffer(LENGTH), (byte) => ALPHABET.charAt(byte & 31))
  return `${characters.slice(0, LENGTH / 2).join('')}-${characters.slice(LENGTH / 2).join('')}`
}

/**
 * Our codes, and any that users bring along: eight digits of allauth, or what a project had before.
 * The shortest is longer than a code of an app.
 */
const FORM = /^[!-~]{7,64}$/

/** The one spelling of a typed code; undefined if it cannot be a code. */
export function canonicalRecoveryCode(typed: string): string | undefined {
  const code = withoutSeparators(typed).toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return FORM.test(code) ? code : undefined
}

export const isRecoveryCode = (code: string): boolean => canonicalRecoveryCode(code) !== undefined

/** Whether the code was made here, and not brought along. */
export const isOurRecoveryCode = (code: string): boolean =>
  /^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/.test(code)

/** Codes are shown in groups, and people copy the separators. */
export const withoutSeparators = (typed: string): string => typed.replaceAll(/[\s-]/g, '')
