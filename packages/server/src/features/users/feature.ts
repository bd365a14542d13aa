import { tagged } from '../../http/endpoint.ts'
import { feature, type Offers } from '../feature.ts'
import { createNameChanges } from '../limits/name-changes.ts'
import type { UpToMail } from '../mail/feature.ts'
import { checkKindOfPk } from './check-kind-of-pk.ts'
import { coverUniqueFields } from './cover-unique-fields.ts'
import { fillSkeletons } from './fill-skeletons.ts'
import { createHashKinds } from './hash-kinds.ts'
import { createAsHookUser } from './hook-user.ts'
import { createProfileChanges } from './profile-changes.ts'
import { profileEntry } from './profile-entry.ts'
import { createProvedAddress } from './proved-address.ts'
import { createDjangoOrigins } from './takeover/django-origins.ts'
import { addressesEntry, forgetDjangoUser } from './takeover/kept-of-django.ts'
import { userTakeover } from './takeover/takeover-parts.ts'
import { createRemoveUnproved } from './unproved-additions.ts'
import { userEndpoints } from './user-endpoints.ts'
import { createUserFields } from './user-fields.ts'
import { createUsernameRules } from './username-rules.ts'
import { createUsers } from './users.ts'

export const usersFeature = feature('users', (house: UpToMail) => {
  const { db, settings, host, limits } = house
  const nameChanges = createNameChanges(limits, settings.ACCOUNT.RATE_LIMITS.change_name)
  const hashKinds = createHashKinds(house)
  const users = createUsers({ ...house, nameChanges, hashKinds })
  const userFields = createUserFields(settings.USER_FIELDS)
  const usernameRules = createUsernameRules(host)
  const profiles = createProfileChanges({ ...house, users, userFields, usernameRules, nameChanges })
  return {
    offers: {
      users,
      hashKinds,
      userFields,
      usernameRules,
      asHookUser: createAsHookUser(settings),
      djangoOrigins: createDjangoOrigins(db),
      provedAddress: createProvedAddress(settings),
      removeUnproved: createRemoveUnproved(house),
    },
    takeover: userTakeover(settings.USER_FIELDS),
    endpoints: tagged('User', userEndpoints({ profiles, host, settings })),
    keeps: {
      dossier: [profileEntry(settings), addressesEntry(db)],
      async erase(user, tx) {
        await forgetDjangoUser(user.id, tx)
        await users.remove(user.id, tx)
        await nameChanges.forgetUser(user, tx)
      },
    },
    afterMigration: async () => {
      await hashKinds.learn()
      await checkKindOfPk(db, settings.USER_PK)
      await coverUniqueFields(db, settings.USER_FIELDS)
      if (settings.ACCOUNT.USERNAME_SKELETONS) await fillSkeletons(db)
    },
  }
})

export type UpToUsers = UpToMail & Offers<typeof usersFeature>
