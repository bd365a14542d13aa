import type { TSchema } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import type { DossierEntry } from '../../core/every-feature.ts'
import {
  type Identity,
  type Impersonation,
  impersonationIn,
  isFactorDue,
  pkOf,
} from '../../core/identity.ts'
import { orNull, Time } from '../../core/schemas.ts'
import { isUsablePassword } from '../../crypto/password-hash/password-hasher.ts'
import { exampleOf } from '../../http/openapi-examples.ts'
import { shownUserField } from '../../http/user-field.ts'
import { type BuiltIn, shownFields } from '../../settings/kinds/user-details.ts'
import type { Settings } from '../../settings/settings.ts'
import type { User } from '../../storage/schema.ts'
import { PROFILE, readProfile, storedIn, userReader } from './user-values.ts'

const PK: Readonly<Record<Settings['USER_PK'], TSchema>> = {
  integer: Type.Integer({ examples: [1] }),
  uuid: Type.String({ format: 'uuid', examples: ['0190a5f2-6f0b-7c3e-9d4a-2b8e1f6c5d70'] }),
}

const SCHEMAS: Readonly<Record<Exclude<BuiltIn, 'pk' | 'id'>, TSchema>> = {
  username: Type.String(),
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  date_joined: Time,
  last_login: orNull(Time),
  is_active: Type.Boolean({ examples: [true] }),
  is_staff: Type.Boolean({ examples: [false] }),
  is_superuser: Type.Boolean({ examples: [false] }),
  email_verified: Type.Boolean({ examples: [true] }),
  groups: Type.Array(Type.String(), { examples: [['editors']] }),
  language: orNull(Type.String(), { examples: ['en'] }),
}

const schemaOfBuiltIn = (name: BuiltIn, { USER_PK }: Pick<Settings, 'USER_PK'>): TSchema =>
  name === 'pk' || name === 'id' ? PK[USER_PK] : SCHEMAS[name]

type Slice = Pick<Settings, 'REST_AUTH' | 'USER_FIELDS' | 'USER_PK'>

/** The user as clients see them; `USER_DETAILS_SERIALIZER` says which fields. */
export function userDetails(settings: Slice) {
  const { REST_AUTH, USER_FIELDS: userFields } = settings
  const shown = shownFields({ details: REST_AUTH.USER_DETAILS_SERIALIZER, userFields })
  const described = shown.map(({ name, source }) => [name, schemaOf(name, source, settings)])
  const properties: Record<string, TSchema> = Object.fromEntries(described)
  const read: (user: User) => Record<string, unknown> = userReader(shown, userFields)
  const impersonated_by = impersonatedBy(settings)
  return {
    schema: Type.Partial(Type.Object({ ...properties, impersonated_by, mfa_setup_required }), {
      $id: 'UserDetails',
    }),
    /** The same inside another answer. */
    part: Type.Partial(Type.Object(properties)),
    of: read,
    /** The user of a request, and the operator who uses the account, if one does. */
    forCaller(identity: Identity, user: User): Record<string, unknown> {
      const details = read(user)
      const impersonation = impersonationIn(identity)
      if (impersonation) details.impersonated_by = answerOperator(impersonation)
      if (isFactorDue(identity)) details.mfa_setup_required = true
      return details
    },
  }
}

/** Present while the user must set up a second factor. */
const mfa_setup_required = Type.Literal(true, {
  description: 'The user must set up a second factor before anything else (`MFA_REQUIRED`)',
  // Not in the example, since the usual answer has none.
  examples: [],
})

/** Present while an operator uses the account. */
export const impersonatedBy = ({ USER_PK }: Pick<Settings, 'USER_PK'>) =>
  Type.Object(
    { pk: PK[USER_PK], username: Type.String() },
    {
      description: 'The operator who uses the account of the user, if one does',
      // Not in the example, since the usual answer has none.
      examples: [],
    },
  )

export const answerOperator = ({ operator }: Impersonation) => ({
  pk: pkOf(operator),
  username: operator.username,
})

function schemaOf(name: string, source: string, settings: Slice): TSchema {
  const { USER_FIELDS: userFields } = settings
  const field = Object.hasOwn(userFields, source) ? userFields[source] : undefined
  const schema = field ? shownUserField(field) : schemaOfBuiltIn(source as BuiltIn, settings)
  // Examples are found by name, and a new name has none.
  return name === source ? schema : { ...schema, examples: [exampleOf(schema, source)] }
}

const Value = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Array(Type.String()),
  Type.Null(),
])

/** Values of `USER_FIELDS` by their names. */
export const valuesSchema = Type.Record(Type.String(), Value, {
  examples: [{ phone: '+44 20 7946 0000' }],
})

/** The row of the user, for their export. */
export const profileEntry = (settings: Pick<Settings, 'USER_PK'>): DossierEntry => ({
  name: 'user',
  schema: Type.Object({
    ...Object.fromEntries(PROFILE.map((name) => [name, schemaOfBuiltIn(name, settings)])),
    has_password: Type.Boolean({ examples: [true] }),
    fields: valuesSchema,
  }),
  read: async (user) => ({
    ...readProfile(user),
    has_password: isUsablePassword(user.password),
    // Also the values of fields that are no longer declared.
    fields: storedIn(user),
  }),
})
