import { domainToASCII } from 'node:url'
import { EMAIL_MAX } from './lengths.ts'

/**
 * How names and addresses are normalised, checked and compared.
 *
 * Unicode normalisation and international domain names take quadratic time on hostile text. So
 * every function here first refuses a text that is longer than any name. Otherwise a single request
 * could block the process for seconds.
 */

const LOCAL_PART_MAX = 64

/** No name is longer than an e-mail address. Counted in UTF-16 units, at most two per character. */
const UNITS_MAX = 2 * EMAIL_MAX

/**
 * The form in which a username is stored. Compatibility forms (full-width letters and so on) are
 * replaced by the usual ones.
 */
export const normalizeUsername = (username: string): string =>
  username.length > UNITS_MAX ? username : username.normalize('NFKC')

export const isUsername = (username: string): boolean => /^[\p{L}\p{N}_.@+-]+$/u.test(username)

/**
 * One key for all spellings of a username or an address. Every lookup and every counter uses this
 * key, whether or not the user exists. If they folded names differently, the difference would
 * reveal who exists. Addresses are stored in this form.
 */
export function nameKey(name: string): string {
  if (name.length > UNITS_MAX) return name
  const plain = name.replace(AT_SIGNS, '@')
  const at = plain.lastIndexOf('@')
  if (at < 0) return folded(plain)
  return `${folded(plain.slice(0, at))}@${domainKey(plain.slice(at + 1))}`
}

/** Characters that compatibility normalisation turns into `@`. */
const AT_SIGNS = /[\uFE6B\uFF20]/g

/** For the search: two texts with the same key differ in case or compatibility forms only. */
export const searchKey = (text: string): string =>
  text.length > UNITS_MAX ? text.toLowerCase() : folded(text)

/**
 * JavaScript has no case folding. Lower, upper and lower case again has the same effect: it also
 * unites ẞ, ß and ss, and ς and σ.
 */
const folded = (text: string): string =>
  text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC')

/** The domain as in the DNS. A text that is not a valid domain is only case-folded. */
function domainKey(domain: string): string {
  const lower = domain.toLowerCase()
  return ASCII.test(lower) ? lower : domainToASCII(lower) || folded(domain)
}

const ASCII = /^[\x20-\x7e]*$/

const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const NUMERIC = /^[0-9]+$/

/**
 * Accepts the usual part of RFC 5321: no quotes, comments or address literals. International
 * domains are accepted.
 */
export function isEmail(text: string): boolean {
  if (text.length > EMAIL_MAX) return false
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  if (at < 1 || local.length > LOCAL_PART_MAX || !LOCAL_PART.test(local)) return false
  return isDomain(text.slice(at + 1), EMAIL_MAX - at - 1)
}

/** `max` counts the characters of the ASCII form, since that form is stored. */
function isDomain(domain: string, max: number): boolean {
  if (/[\s%/?#\\:@]/.test(domain)) return false
  const ascii = domainToASCII(domain.toLowerCase())
  if (ascii === 'localhost') return true
  const labels = ascii.split('.')
  const top = labels.at(-1) ?? ''
  return (
    ascii.length <= max &&
    labels.length > 1 &&
    labels.every((l) => LABEL.test(l)) &&
    !NUMERIC.test(top) &&
    top.length > 1
  )
}
