import { nameKey } from '../../../server/src/kernel/names.ts'
import { readAddresses } from '../map/addresses.ts'
import type { DjangoUser } from '../source/django-user.ts'
import type { Row } from '../source/source.ts'
import { keyTextOf } from '../source/user-model.ts'
import { flagIn, textIn } from '../source/values.ts'
import type { ImportOrder } from './import-order.ts'

/** The keys of the users of the project who have verified an address, by address. */
type Owners = ReadonlyMap<string, string>

/** Marks users who have an address, or a username like one, that another user has verified. */
export function createMarkClaims({ source, model, rules }: ImportOrder) {
  let odd: Promise<Owners> | undefined

  return async (users: readonly DjangoUser[]): Promise<readonly DjangoUser[]> => {
    if (!model.has.has('account_emailaddress')) return users
    // An index finds those that are spelled like their keys. The others are read once.
    odd ??= source.oddVerifiedAddresses().then(ownersIn)
    const claims = users.map(claimsOf)
    const keys = claims.flatMap(({ address, name }) => [address, name])
    const [others, usual] = [await odd, await usualOwners(keys.filter((key) => key !== null))]
    const isOthers = (address: string | null, { key }: DjangoUser) =>
      address !== null && (usual.get(address) ?? others.get(address) ?? key) !== key
    return users.map((user, i) => ({
      ...user,
      isAddressOthers: isOthers(claims[i]?.address ?? null, user),
      isNameOthers: isOthers(claims[i]?.name ?? null, user),
    }))
  }

  /** An address that the user has not verified, and a username like an address. */
  function claimsOf(user: DjangoUser) {
    const { main } = readAddresses(user).given
    const isClaim = rules.address === 'keep-verified' && main !== null && !main.isVerified
    const name = nameKey(user.username ?? '')
    return { address: isClaim ? main.key : null, name: name.includes('@') ? name : null }
  }

  async function usualOwners(keys: readonly string[]): Promise<Owners> {
    const rows = await source.rowsWith('account_emailaddress', 'email', [...new Set(keys)])
    return ownersIn(rows.filter((row) => flagIn(row.verified)))
  }
}

const ownersIn = (rows: readonly Row[]): Owners =>
  new Map(rows.map((row) => [nameKey(textIn(row.email)), keyTextOf(row.user_id)]))
