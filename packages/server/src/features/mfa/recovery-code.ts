import { randomBuffer } from '../../kernel/random.ts'

/** 32 characters, five bits each; of those that look alike only one is among them. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 10

/** 50 random bits, in two groups that are easy to read out. */
export function newRecoveryCode(): string {
  const characters = Array.from(randomBuffer(LENGTH), (byte) => ALPHABET.charAt(byte & 31))
  return `${characters.slice(0, LENGTH / 2).join('')}-${characters.slice(LENGTH / 2).join('')}`
}

/** Ours, and those of the original, which may have been imported: eight hex digits. */
const FORM = new RegExp(`^(?:[${ALPHABET}]{${LENGTH}}|[0-9a-f]{8})$`)

/** What a code is found by, however it was typed; undefined for what can be none. */
export function canonicalRecoveryCode(typed: string): string | undefined {
  const code = withoutSeparators(typed).toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return FORM.test(code) ? code : undefined
}

/** Codes are shown in groups, and people copy the gaps. */
export const withoutSeparators = (typed: string): string => typed.replaceAll(/[\s-]/g, '')
