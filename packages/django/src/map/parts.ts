import type { UpToAdministration } from '../../../server/src/features/administration/feature.ts'
import type { AdoptedFlags } from '../../../server/src/features/users/adopt/add-users.ts'
import { providerHere } from '../settings/provider-name.ts'
import type { DjangoSocialAccount, DjangoUser } from '../source/django-user.ts'
import { readAddresses } from './addresses.ts'
import { appOf, readMfa } from './mfa.ts'
import { createPart, type Part, type Reading } from './part.ts'
import { readPasskeys, webauthnOf } from './passkeys.ts'
import { readProfile } from './profile.ts'

/*
 * `of` must not change between versions: the digests of its values are stored, and other values
 * would look as if everybody had changed in the project.
 */

/** Everything that is imported for a user, in the order in which it is put. */
export function partsOf(house: UpToAdministration): Part[] {
  return [...userParts(house), ...belongings(house)]
}

function userParts({ adoptUsers, settings }: UpToAdministration): Part[] {
  const { USER_FIELDS: declared } = settings
  return [
    createPart({
      name: 'profile',
      comesWithUser: true,
      adopt: adoptUsers.profile,
      of: (source) => {
        const { firstName, lastName, groups, fields } = readProfile(source, declared).given
        const names = { first_name: firstName, last_name: lastName }
        return [{ ...names, group_names: JSON.stringify(groups) }, fields]
      },
      read: (source) => readProfile(source, declared),
    }),
    // Each flag is a part of its own. A ban in the project counts whatever was changed here, and a
    // ban here stays when another flag changes there.
    ...FLAGS.map(([name, usual]) =>
      createPart({
        name,
        comesWithUser: true,
        winsThere: true,
        adopt: adoptUsers[name],
        of: (source) => (flagsOf(source)[name] === usual ? null : Number(!usual)),
        read: (source) => whole(flagsOf(source)[name]),
      }),
    ),
    createPart({
      name: 'username',
      comesWithUser: true,
      adopt: adoptUsers.username,
      of: ({ username }) => username,
      read: ({ username }) => whole(username),
    }),
    createPart({
      name: 'last_login',
      comesWithUser: true,
      adopt: adoptUsers.lastLogin,
      of: ({ lastLogin }) => lastLogin,
      read: ({ lastLogin }) => whole(lastLogin),
    }),
    createPart({
      name: 'addresses',
      comesWithUser: true,
      adopt: adoptUsers.addresses,
      of: ({ email, addresses }) => [email, addresses],
      // Another user has verified the address since.
      isDue: ({ isAddressOthers = false }) => isAddressOthers,
      read: readAddresses,
    }),
  ]
}

function belongings(house: UpToAdministration): Part[] {
  const { isConfigured } = house.adoptAccounts
  return [
    createPart({
      name: 'token',
      adopt: house.adoptTokens,
      of: ({ token }) => token?.key ?? null,
      read: ({ token }) => whole(token),
    }),
    createPart({
      name: 'password',
      comesWithUser: true,
      adopt: house.adoptPasswords,
      of: ({ password }) => password,
      read: ({ password, token }) => whole({ hash: password, hasToken: token !== null }),
    }),
    createPart({
      name: 'mfa',
      adopt: house.adoptMfa,
      of: (source) => {
        const { app, codes } = readMfa(source).given
        return app || codes?.length !== 0 ? [app?.secret ?? null, codes] : null
      },
      isCounted: (source) => appOf(source) !== null,
      read: readMfa,
    }),
    createPart({
      name: 'passkeys',
      adopt: house.adoptPasskeys,
      of: (source) => {
        const all = [...webauthnOf(source).map(({ id, data }) => [id, data]), ...source.credentials]
        return all.length === 0 ? null : all
      },
      read: readPasskeys,
    }),
    createPart({
      name: 'social',
      adopt: house.adoptAccounts,
      // An account whose provider is configured later counts as changed.
      of: ({ socialAccounts }) =>
        socialAccounts.length === 0
          ? null
          : socialAccounts.map(({ provider, uid }) => [
              provider,
              uid,
              isConfigured(providerHere(provider)),
            ]),
      read: ({ socialAccounts }) =>
        whole(
          socialAccounts.filter(isFirstOfPerson).map(({ uid, provider, joinedAt, ...account }) => ({
            ...account,
            provider: providerHere(provider),
            subject: uid,
            createdAt: joinedAt,
          })),
        ),
    }),
  ]
}

/** Two of allauth's providers may know the same person. Here both accounts would be one. */
const isFirstOfPerson = (
  { provider, uid }: DjangoSocialAccount,
  index: number,
  all: readonly DjangoSocialAccount[],
): boolean =>
  index ===
  all.findIndex((one) => one.uid === uid && providerHere(one.provider) === providerHere(provider))

/** What almost everybody has is not worth a digest. */
const FLAGS = [
  ['is_active', true],
  ['is_staff', false],
  ['is_superuser', false],
] as const

export const flagsOf = ({ isActive, isStaff, isSuperuser }: DjangoUser): AdoptedFlags => ({
  is_active: isActive,
  is_staff: isStaff,
  is_superuser: isSuperuser,
})

const whole = <Given>(given: Given): Reading<Given> => ({ given, losses: [] })
