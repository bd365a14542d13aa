import type { Loss } from '../../../core/takeover.ts'
import {
  isUsablePassword,
  type PasswordHasher,
} from '../../../crypto/password-hash/password-hasher.ts'
import type { DjangoUser } from '../../../storage/django/django-user.ts'

/** No password is right. */
const NONE = '!'

const WHY_LOST = {
  unknown: 'a hash of an unknown kind; reset it',
  too_dear: 'computing the hash would cost too much; the user resets it by mail',
}

/**
 * The hash as it stands there, if a password can ever be compared with it. A hash of an unknown kind
 * stays: `PASSWORD_HASHERS` may list its scheme later.
 */
export const storedPassword = ({ password }: DjangoUser, hasher: PasswordHasher): string =>
  password === '' || hasher.judge(password) === 'too_dear' ? NONE : password

export function passwordLosses(source: DjangoUser, hasher: PasswordHasher): Loss[] {
  const { password } = source
  const found = hasher.judge(password)
  if (password === '' || !isUsablePassword(password) || found === 'good') return []
  return [{ source, what: 'password', why: WHY_LOST[found] }]
}
