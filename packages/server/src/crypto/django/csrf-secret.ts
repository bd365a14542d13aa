const CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const LENGTH = 32
const FORM = /^(?:[0-9A-Za-z]{32}){1,2}$/

/**
 * The secret in a CSRF token of Django: the token itself or, if it is twice as long, its second
 * half, shifted by the first half. Returns null if it is not such a token.
 */
export function csrfSecretIn(token: string): string | null {
  if (!FORM.test(token)) return null
  if (token.length === LENGTH) return token
  const position = (i: number) => CHARACTERS.indexOf(token.charAt(i))
  const shifted = (i: number) => position(LENGTH + i) - position(i) + CHARACTERS.length
  return Array.from({ length: LENGTH }, (_, i) =>
    CHARACTERS.charAt(shifted(i) % CHARACTERS.length),
  ).join('')
}
