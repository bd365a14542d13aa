import type { Loss } from '../../../core/takeover.ts'
import {
  isUsablePassword,
  type PasswordHasher,
} from '../../../crypto/password-hash/password-hasher.ts'
import type { DjangoUser } from '../../../storage/django/django-user.ts'

/** The hash as it stands there. Without one, no password is right. */
export const storedPassword = ({ password }: DjangoUser): string =>
  password === '' ? '!' : password

export function passwordLosses(source: DjangoUser, hasher: PasswordHasher): Loss[] {
  const hash = storedPassword(source)
  if (!isUsablePassword(hash) || hasher.knows(hash)) return []
  return [{ source, what: 'password', why: 'a hash of an unknown kind; reset it' }]
}
