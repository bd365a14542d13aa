import { domainToASCII } from 'node:url'

/**
 * How names and addresses are normalised, checked and compared.
 *
 * Unicode normalisation and international domains take quadratic time on hostile text, so nothing
 * here touches a text that is longer than any name: the time of a request must not depend on what a
 * stranger wrote into it.
 */

export const USERNAME_MAX = 150
export const EMAIL_MAX = 254
const LOCAL_PART_MAX = 64

/** No name is longer than an address; in UTF-16 units, of which a character has two at most. */
const UNITS_MAX = 2 * EMAIL_MAX

/** What is stored of a username: compatibility forms (full-width letters and so on) are unified. */
export const normalizeUsername = (username: string): string =>
  username.length > UNITS_MAX ? username : username.normalize('NFKC')

export const isUsername = (username: string): boolean => /^[\p{L}\p{N}_.@+-]+$/u.test(username)

/**
 * The one spelling that stands for all spellings of a username or an address. Whatever looks for a
 * user, and whatever counts what is done to one, known or not, goes by this key: were there two
 * ways to fold a name, the difference between them would tell who exists. Also how an address is
 * stored.
 */
export function nameKey(name: string): string {
  if (name.length > UNITS_MAX) return name
  const plain = name.replace(AT_SIGNS, '@')
  const at = plain.lastIndexOf('@')
  if (at < 0) return folded(plain)
  return `${folded(plain.slice(0, at))}@${domainKey(plain.slice(at + 1))}`
}

/** Those that compatibility normalisation makes an `@` of. */
const AT_SIGNS = /[\uFE6B\uFF20]/g

/**
 * JavaScript has no case folding; to lower, to upper and to lower case again is as good (it also
 * unites ẞ, ß and ss, ς and σ).
 */
const folded = (text: string): string =>
  text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC')

/** As it is looked up in the DNS; what is no domain is only folded. */
function domainKey(domain: string): string {
  const lower = domain.toLowerCase()
  return ASCII.test(lower) ? lower : domainToASCII(lower) || folded(domain)
}

const ASCII = /^[\x20-\x7e]*$/

const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const NUMERIC = /^[0-9]+$/

/** The sane part of RFC 5321: no quotes, comments or address literals; international domains. */
export function isEmail(text: string): boolean {
  if (text.length > EMAIL_MAX) return false
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  if (at < 1 || local.length > LOCAL_PART_MAX || !LOCAL_PART.test(local)) return false
  return isDomain(text.slice(at + 1), EMAIL_MAX - at - 1)
}

/** `max` is for the domain in ASCII, which is what will be stored. */
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
