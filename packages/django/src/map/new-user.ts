import type { Loss } from '../../../server/src/core/adopt.ts'
import type { AdoptedUser } from '../../../server/src/features/users/adopt/add-users.ts'
import {
  type AdoptedAddresses,
  addressTaken,
} from '../../../server/src/features/users/adopt/adopt-addresses.ts'
import { addressOfAnother } from '../../../server/src/features/users/adopt/adopt-usernames.ts'
import { nameKey, normalizeUsername } from '../../../server/src/kernel/names.ts'
import type { UserFields } from '../../../server/src/kernel/user-fields/user-field.ts'
import type { DjangoUser } from '../source/django-user.ts'
import { readAddresses } from './addresses.ts'
import type { Reading } from './part.ts'
import { flagsOf } from './parts.ts'
import { readProfile } from './profile.ts'

/** What happens if two users of the project cannot both keep what they have. */
export type ImportRules = {
  /** Two usernames that differ only in case: the second user gets another name, or stays out. */
  readonly username: 'rename' | 'keep-first'
  /** Two users with one address: the one who has verified it gets it, or the first one. */
  readonly address: 'keep-verified' | 'keep-first'
}

type Given = {
  readonly declared: UserFields
  readonly rules: ImportRules
  /** The keys of the users of the project who have verified an address, by address. */
  readonly verifiedBy: ReadonlyMap<string, string>
}

/** A loss, and the name of the part that it belongs to. */
export type PartLoss = Loss & { readonly part: string }

/** A user who is new here, with all parts that come with the user. */
export function readNewUser(
  source: DjangoUser,
  { declared, rules, verifiedBy }: Given,
): { user: AdoptedUser; losses: PartLoss[] } {
  const isOthers = (address: string) => (verifiedBy.get(address) ?? key) !== key
  const { key, pk, username, email, firstName, password, joinedAt, lastLogin } = source
  const profile = readProfile(source, declared)
  const addresses = readAddresses(source)
  const own = rules.address === 'keep-verified' ? withoutOthers(addresses, isOthers) : addresses
  const name = normalizeUsername(username ?? '')
  const isAnothers = name.includes('@') && isOthers(nameKey(name))
  const ofName = isAnothers ? [{ what: 'username', why: addressOfAnother(name) }] : []
  return {
    user: {
      pk,
      joinedAt,
      lastLogin,
      profile: profile.given,
      flags: flagsOf(source),
      username,
      nameFrom: [email, firstName],
      addresses: own.given,
      password,
    },
    losses: [
      ...ofName.map((loss) => ({ part: 'username', ...loss })),
      ...own.losses.map((loss) => ({ part: 'addresses', ...loss })),
      ...profile.losses.map((loss) => ({ part: 'profile', ...loss })),
    ],
  }
}

function withoutOthers(
  { given, losses }: Reading<AdoptedAddresses>,
  isOthers: (address: string) => boolean,
): Reading<AdoptedAddresses> {
  const { main } = given
  if (main === null || !isOthers(main.key)) return { given, losses }
  return { given: { ...given, main: null }, losses: [...losses, addressTaken(main.key)] }
}
