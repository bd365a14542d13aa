import { Type } from '@sinclair/typebox'
import type { Known } from '../../core/every-feature.ts'
import { isUsablePassword } from '../../crypto/password-hash/password-hasher.ts'
import { BUILT_IN } from '../../settings/kinds/user-details.ts'
import type { Settings } from '../../settings/settings.ts'
import { schemaOfBuiltIn } from './answer-user.ts'
import { storedIn, userReader } from './user-values.ts'

/** `id` is another name of `pk`. */
const NAMES = BUILT_IN.filter((name) => name !== 'id')

const readBuiltIn = userReader(
  NAMES.map((name) => ({ name, source: name })),
  {},
)

const Value = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Array(Type.String()),
  Type.Null(),
])

/** The row of the user. */
export const knownProfile = (settings: Pick<Settings, 'USER_PK'>): Known => ({
  name: 'user',
  schema: Type.Object({
    ...Object.fromEntries(NAMES.map((name) => [name, schemaOfBuiltIn(name, settings)])),
    has_password: Type.Boolean({ examples: [true] }),
    fields: Type.Record(Type.String(), Value, { examples: [{ phone: '+44 20 7946 0000' }] }),
  }),
  read: async (user) => ({
    ...readBuiltIn(user),
    has_password: isUsablePassword(user.password),
    // Also the values of fields that are no longer declared.
    fields: storedIn(user),
  }),
})
