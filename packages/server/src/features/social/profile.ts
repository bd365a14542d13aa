import { NAME_MAX } from '../../kernel/lengths.ts'
import { isEmail } from '../../kernel/names.ts'

/** A person as the provider describes them, without unusable characters. */
export type Profile = {
  /** The permanent id at the provider; null if it did not say. */
  subject: string | null
  /** The id under which an older version stored the account. */
  formerSubject?: string | null
  /** Address and verification always come from the same answer. */
  address: { email: string; isVerified: boolean } | null
  /** Candidates for a username, best first. */
  names: readonly string[]
  firstName: string
  lastName: string
}

type Said = {
  subject: string | null
  email?: string | null
  /** As the provider sent it. Only `true` counts, neither "true" nor 1. */
  verified?: unknown
  names?: readonly (string | null)[]
  firstName?: string | null
  lastName?: string | null
}

const SUBJECT = /^[\x20-\x7e]{1,255}$/

export function profileOf(said: Said): Profile {
  const { subject, email = null, verified, names = [], firstName = null, lastName = null } = said
  return {
    subject: subject !== null && SUBJECT.test(subject) ? subject : null,
    address: email !== null && isEmail(email) ? { email, isVerified: verified === true } : null,
    names: [...names, email, firstName].flatMap((name) => cleaned(name) || []),
    firstName: cleaned(firstName),
    lastName: cleaned(lastName),
  }
}

/** Reads the standard claims of an ID token or of a userinfo endpoint. */
export function readOpenIdClaims(claims: unknown): Profile {
  const whole = splitName(textAt(claims, 'name'))
  return profileOf({
    subject: textAt(claims, 'sub'),
    email: textAt(claims, 'email'),
    verified: at(claims, 'email_verified'),
    names: [textAt(claims, 'preferred_username'), textAt(claims, 'nickname')],
    firstName: textAt(claims, 'given_name') ?? whole.firstName,
    lastName: textAt(claims, 'family_name') ?? whole.lastName,
  })
}

/** For providers with a single name: the last of several words is the last name. */
export function splitName(name: string | null) {
  const words = (name ?? '').trim().split(/\s+/)
  const lastName = words.length > 1 ? (words.pop() ?? null) : null
  return { firstName: words.join(' ') || null, lastName }
}

/**
 * Merges several answers about one person, best first; null if their subjects differ. A verified
 * address is better than an earlier one.
 */
export function agreedProfile(profiles: readonly Profile[]): Profile | null {
  const [first] = profiles
  if (!first || profiles.some((profile) => sharedSubject(profile) !== sharedSubject(first))) {
    return null
  }
  const addresses = profiles.flatMap(({ address }) => address ?? [])
  const { subject, formerSubject = null } = profiles.find((one) => one.formerSubject) ?? first
  return {
    subject,
    formerSubject,
    address: addresses.find(({ isVerified }) => isVerified) ?? addresses[0] ?? null,
    names: profiles.flatMap(({ names }) => names),
    firstName: profiles.find(({ firstName }) => firstName)?.firstName ?? '',
    lastName: profiles.find(({ lastName }) => lastName)?.lastName ?? '',
  }
}

/** The subject that every answer of the provider has. */
const sharedSubject = ({ subject, formerSubject }: Profile) => formerSubject ?? subject

/** Removes characters that harm a database, a mail or a terminal. */
const cleaned = (text: string | null): string =>
  [...(text ?? '').replace(/\p{C}/gu, '').trim()].slice(0, NAME_MAX).join('')

/** The value at a path in a foreign answer. Only own keys count, and every level may be missing. */
export function at(json: unknown, ...path: readonly string[]): unknown {
  let value = json
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** A non-empty text at a path. Numbers are ids; those that JSON may have rounded are refused. */
export function textAt(json: unknown, ...path: readonly string[]): string | null {
  const value = at(json, ...path)
  if (typeof value === 'string' && value !== '') return value
  return Number.isSafeInteger(value) ? String(value) : null
}
