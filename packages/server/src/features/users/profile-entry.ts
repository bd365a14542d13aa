import { Type } from '@sinclair/typebox'
import type { DossierEntry } from '../../core/every-feature.ts'
import { isUsablePassword } from '../../crypto/password-hash/password-hasher.ts'
import type { Settings } from '../../settings/settings.ts'
import { schemaOfBuiltIn } from './answer-user.ts'
import { PROFILE, readProfile } from './hook-user.ts'
import { storedIn } from './user-values.ts'

const Value = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Array(Type.String()),
  Type.Null(),
])

/** The row of the user. */
export const profileEntry = (settings: Pick<Settings, 'USER_PK'>): DossierEntry => ({
  name: 'user',
  schema: Type.Object({
    ...Object.fromEntries(PROFILE.map((name) => [name, schemaOfBuiltIn(name, settings)])),
    has_password: Type.Boolean({ examples: [true] }),
    fields: Type.Record(Type.String(), Value, { examples: [{ phone: '+44 20 7946 0000' }] }),
  }),
  read: async (user) => ({
    ...readProfile(user),
    has_password: isUsablePassword(user.password),
    // Also the values of fields that are no longer declared.
    fields: storedIn(user),
  }),
})
