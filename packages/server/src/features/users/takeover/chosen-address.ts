import type { Loss } from '../../../core/takeover.ts'
import { isEmail, nameKey } from '../../../kernel/names.ts'
import type { DjangoUser } from '../../../storage/django/django-user.ts'

/** The one address that a user has here. */
export type ChosenAddress = { readonly key: string; readonly isVerified: boolean }

/**
 * The address of the user table, which clients see, and which is usually a copy of the primary
 * address of allauth. That one counts where the table has none. Null if there is none, or none that
 * mails could be sent to.
 */
export function chosenAddress({ email, addresses }: DjangoUser): ChosenAddress | null {
  const primary = addresses.find(({ isPrimary }) => isPrimary)
  const chosen = email === '' ? (primary?.email ?? '') : email
  if (!isEmail(chosen)) return null
  const key = nameKey(chosen)
  const isVerified = addresses.some((one) => one.isVerified && nameKey(one.email) === key)
  return { key, isVerified }
}

/** What to tell the operator, if the user cannot have the address here. */
export function addressLoss(source: DjangoUser, isTaken: boolean): Loss[] {
  const address = chosenAddress(source)
  const lose = (why: string) => [{ source, what: 'address', why }]
  if (address) return isTaken ? lose(`${address.key} belongs to another user`) : []
  return source.email === '' ? [] : lose(`${source.email} is no address that mails can be sent to`)
}
