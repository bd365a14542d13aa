import type { Loss } from '../../../core/adopt.ts'
import {
  isUsablePassword,
  type PasswordHasher,
} from '../../../crypto/password-hash/password-hasher.ts'

/** A hash that no password matches. */
const NONE = '!'

const WHY_LOST = {
  unknown: 'a hash of an unknown kind; reset it',
  too_expensive: 'computing the hash would cost too much; the user resets it by mail',
}

/**
 * The hash to store for one that a user brings along. A hash of an unknown kind stays, because
 * `PASSWORD_HASHERS` may list its kind later.
 */
export const storedPassword = (hash: string, hasher: PasswordHasher): string =>
  hash === '' || hasher.judge(hash) === 'too_expensive' ? NONE : hash

export function passwordLosses(hash: string, hasher: PasswordHasher): Loss[] {
  const found = hasher.judge(hash)
  if (hash === '' || !isUsablePassword(hash) || found === 'good') return []
  return [{ what: 'password', why: WHY_LOST[found] }]
}
