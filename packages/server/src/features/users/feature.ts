import { tagged } from '../../http/endpoint.ts'
import { feature, type Offers } from '../feature.ts'
import { accountOf, createRateLimit } from '../limits/limits.ts'
import type { UpToMail } from '../mail/feature.ts'
import { createAdoptUsers } from './adopt/adopt-users.ts'
import { adaptUsers } from './after-migration.ts'
import { profileEntry } from './answer-user.ts'
import { addressesEntry, djangoOrigins, forgetDjangoUser } from './django-origins.ts'
import { createHashKinds } from './hash-kinds.ts'
import { createProfileChanges } from './profile-changes.ts'
import { createProvedAddress, createRemoveUnproved } from './proved-address.ts'
import { createRequiredFactor } from './required-factor.ts'
import { userEndpoints } from './user-endpoints.ts'
import { createUserFields } from './user-fields.ts'
import { createAsHookUser } from './user-values.ts'
import { createUsernameRules, loadSkeletonOf } from './usernames.ts'
import { createUsers } from './users.ts'

export const usersFeature = feature((house: UpToMail) => {
  const { db, settings, host, limits } = house
  const { change_name } = settings.ACCOUNT.RATE_LIMITS
  const nameChanges = createRateLimit(limits, 'change_name', change_name)
  const hashKinds = createHashKinds(house)
  const users = createUsers({ ...house, hashKinds })
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
      djangoOrigins,
      provedAddress: createProvedAddress(settings),
      requiredFactor: createRequiredFactor(house),
      removeUnproved: createRemoveUnproved(house),
      adoptUsers: createAdoptUsers({ ...house, hashKinds }),
    },
    endpoints: tagged('User', userEndpoints({ ...house, profiles })),
    keeps: {
      dossier: [profileEntry(settings), addressesEntry(db)],
      async erase(user, tx) {
        await forgetDjangoUser(user.id, tx)
        await users.remove(user.id, tx)
        await nameChanges.forgive({ account: accountOf(user) }, tx)
      },
    },
    later: loadSkeletonOf,
    afterMigration: async () => {
      await hashKinds.learn()
      await adaptUsers(house)
    },
  }
})

export type UpToUsers = UpToMail & Offers<typeof usersFeature>
