import { nameKey } from '../../kernel/names.ts'
import type { DjangoUser } from '../../storage/django/django-user.ts'
import { chosenAddress } from '../users/takeover/chosen-address.ts'

/** The address in the user table of the source, and the one that the user gets here for it. */
export const addressesOf = (source: DjangoUser) => ({
  email: source.email,
  address: chosenAddress(source)?.key ?? nameKey(source.email),
})
