import { pkOf } from '../../../server/src/core/identity.ts'
import { storedIn, type Values } from '../../../server/src/features/users/user-values.ts'
import type { UserFields } from '../../../server/src/kernel/user-fields/user-field.ts'
import type { User } from '../../../server/src/storage/schema.ts'
import { readAddresses } from '../map/addresses.ts'
import type { DjangoUser } from '../source/django-user.ts'
import type { AddressChanges, UserForDjango } from '../source/write-users.ts'

/** A user of ours in the form of a Django project. */
export const forDjango = (user: User, declared: UserFields): UserForDjango => ({
  pk: pkOf(user),
  password: djangoHash(user.password),
  username: user.username,
  email: user.email,
  isVerified: user.email_verified === 1,
  firstName: user.first_name,
  lastName: user.last_name,
  isActive: user.is_active === 1,
  isStaff: user.is_staff === 1,
  isSuperuser: user.is_superuser === 1,
  joinedAt: user.joined_at,
  lastLogin: user.last_login_at,
  more: typedValues(storedIn(user), declared),
})

/** `verified` are the ids of the further addresses that the user has verified. */
export function addressChanges(
  user: UserForDjango,
  verified: readonly number[],
  there: DjangoUser,
): AddressChanges {
  const { key = '', isVerified = false } = readAddresses(there).given.main ?? {}
  const isSame = key === user.email && isVerified === user.isVerified
  const unverified = there.addresses.filter((address) => !address.isVerified).map(({ id }) => id)
  return {
    main: isSame ? null : { user, former: there.email },
    verified: unverified.filter((id) => verified.includes(id)),
  }
}

const typedValues = (values: Values, declared: UserFields): UserForDjango['more'] =>
  Object.fromEntries(
    Object.entries(declared).map(([name, { type }]) => [
      name,
      { type, value: values[name] ?? null },
    ]),
  )

/** Django reads our hashes, but expects the name of the hasher before a dollar sign. */
export function djangoHash(hash: string): string {
  if (hash.startsWith('$argon2')) return `argon2${hash}`
  if (/^\$2[aby]\$/.test(hash)) return `bcrypt$${hash}`
  return hash
}
