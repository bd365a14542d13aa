import type { Loss } from '../../../server/src/core/adopt.ts'
import type { AdoptedUser } from '../../../server/src/features/users/adopt/add-users.ts'
import { addressOfAnother } from '../../../server/src/features/users/adopt/adopt-usernames.ts'
import { normalizeUsername } from '../../../server/src/kernel/names.ts'
import type { UserFields } from '../../../server/src/kernel/user-fields/user-field.ts'
import type { DjangoUser } from '../source/django-user.ts'
import { readAddresses } from './addresses.ts'
import { flagsOf } from './parts.ts'
import { readProfile } from './profile.ts'

/** What happens if two users of the project cannot both keep what they have. */
export type ImportRules = {
  /** Two usernames that differ only in case: the second user gets another name, or stays out. */
  readonly username: 'rename' | 'keep-first'
  /** Two users with one address: the one who has verified it gets it, or the first one. */
  readonly address: 'keep-verified' | 'keep-first'
}

/** A loss, and the name of the part that it belongs to. */
export type PartLoss = Loss & { readonly part: string }

/** A user who is new here, with all parts that come with the user. */
export function readNewUser(
  source: DjangoUser,
  declared: UserFields,
): { user: AdoptedUser; losses: PartLoss[] } {
  const { pk, username, email, firstName, password, joinedAt, lastLogin } = source
  const profile = readProfile(source, declared)
  const addresses = readAddresses(source)
  const why = addressOfAnother(normalizeUsername(username ?? ''))
  const ofName = source.isNameOthers ? [{ what: 'username', why }] : []
  return {
    user: {
      pk,
      joinedAt,
      lastLogin,
      profile: profile.given,
      flags: flagsOf(source),
      username,
      nameFrom: [email, firstName],
      addresses: addresses.given,
      password,
    },
    losses: [
      ...ofName.map((loss) => ({ part: 'username', ...loss })),
      ...addresses.losses.map((loss) => ({ part: 'addresses', ...loss })),
      ...profile.losses.map((loss) => ({ part: 'profile', ...loss })),
    ],
  }
}
