import {
  type AdoptedAddresses,
  addressTaken,
} from '../../../server/src/features/users/adopt/adopt-addresses.ts'
import { isEmail, nameKey } from '../../../server/src/kernel/names.ts'
import type { DjangoUser } from '../source/django-user.ts'
import type { Reading } from './part.ts'

/**
 * A user has one address here: the one of the user table, which clients see, and which is usually a
 * copy of the primary address of allauth. The primary one counts if the user table has none.
 */
export function readAddresses(source: DjangoUser): Reading<AdoptedAddresses> {
  const { email, addresses, isAddressOthers = false } = source
  const primary = addresses.find(({ isPrimary }) => isPrimary)
  const chosen = email === '' ? (primary?.email ?? '') : email
  if (!isEmail(chosen)) {
    const lost = { what: 'address', why: `mails cannot be sent to ${email}` }
    return { given: { main: null, further: addresses }, losses: email === '' ? [] : [lost] }
  }
  const key = nameKey(chosen)
  // Mails that reset a password must not go to somebody who only claims the address.
  if (isAddressOthers) {
    return { given: { main: null, further: addresses }, losses: [addressTaken(key)] }
  }
  const isVerified = addresses.some((one) => one.isVerified && nameKey(one.email) === key)
  return { given: { main: { key, isVerified }, further: addresses }, losses: [] }
}

/** What is remembered: the address in the user table, and the one that the user gets here for it. */
export const rememberedAddresses = (source: DjangoUser) => ({
  email: source.email,
  address: readAddresses(source).given.main?.key ?? nameKey(source.email),
})
