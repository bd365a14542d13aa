import { chosenAddress } from '../../../server/src/features/users/takeover/chosen-address.ts'
import { nameKey } from '../../../server/src/kernel/names.ts'
import type { DjangoUser } from '../../../server/src/storage/django/django-user.ts'

/** The address in the user table of the source, and the one that the user gets here for it. */
export const addressesOf = (source: DjangoUser) => ({
  email: source.email,
  address: chosenAddress(source)?.key ?? nameKey(source.email),
})
