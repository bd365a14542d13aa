import { domainToASCII } from 'node:url'

/** How names and addresses are normalised, checked and compared. Linear in the input, always. */

export const USERNAME_MAX = 150
export const EMAIL_MAX = 254
const LOCAL_PART_MAX = 64

/** What is stored of a username: compatibility forms (full-width letters and so on) are unified. */
export const normalizeUsername = (username: string): string => username.normalize('NFKC')

/**
 * What a username is found and compared by. JavaScript has no case folding; upper and then lower
 * case is as good (it also unites ß and ss, ς and σ).
 */
export const usernameKey = (username: string): string =>
  username.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')

export const isUsername = (username: string): boolean => /^[\p{L}\p{N}_.@+-]+$/u.test(username)

/** What is stored of an address, and what it is found by: lower case, the domain in ASCII. */
export function normalizeEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at).toLowerCase()
  const domain = email.slice(at + 1).toLowerCase()
  return `${local}@${domainToASCII(domain) || domain}`
}

const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const NUMERIC = /^[0-9]+$/

/** The sane part of RFC 5321: no quotes, comments or address literals; international domains. */
export function isEmail(text: string): boolean {
  if (text.length > EMAIL_MAX) return false
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  if (at < 1 || local.length > LOCAL_PART_MAX || !LOCAL_PART.test(local)) return false
  return isDomain(text.slice(at + 1))
}

function isDomain(domain: string): boolean {
  if (/[\s%/?#\\:@]/.test(domain)) return false
  const ascii = domainToASCII(domain.toLowerCase())
  if (ascii === 'localhost') return true
  const labels = ascii.split('.')
  const top = labels.at(-1) ?? ''
  return (
    labels.length > 1 && labels.every((l) => LABEL.test(l)) && !NUMERIC.test(top) && top.length > 1
  )
}
