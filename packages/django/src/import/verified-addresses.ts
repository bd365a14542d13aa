import { nameKey } from '../../../server/src/kernel/names.ts'
import type { DjangoUser } from '../source/django-user.ts'
import { keyTextOf } from '../source/user-model.ts'
import { flagIn, textIn } from '../source/values.ts'
import type { ImportOrder } from './import-order.ts'

/**
 * The keys of the users of the project who have verified an address of these users, by address. A
 * username that looks like an address counts as one.
 */
export async function verifiedAddresses(
  { source, model }: ImportOrder,
  users: readonly DjangoUser[],
): Promise<Map<string, string>> {
  if (!model.has.has('account_emailaddress')) return new Map()
  const spellings = users.flatMap(({ username, email, addresses }) =>
    [username ?? '', email, ...addresses.map((one) => one.email)]
      .filter((text) => text.includes('@'))
      .flatMap((text) => [text, text.toLowerCase()]),
  )
  const rows = await source.rowsWith('account_emailaddress', 'email', [...new Set(spellings)])
  const verified = rows.filter((row) => flagIn(row.verified))
  return new Map(verified.map((row) => [nameKey(textIn(row.email)), keyTextOf(row.user_id)]))
}
