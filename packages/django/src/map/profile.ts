import type { Loss } from '../../../server/src/core/adopt.ts'
import type { AdoptedProfile } from '../../../server/src/features/users/adopt/add-users.ts'
import { isObject, parseJson } from '../../../server/src/kernel/json-object.ts'
import { readValue } from '../../../server/src/kernel/user-fields/read-value.ts'
import type {
  FieldValue,
  UserField,
  UserFields,
} from '../../../server/src/kernel/user-fields/user-field.ts'
import type { DjangoUser } from '../source/django-user.ts'
import type { Reading } from './part.ts'

const DAMAGED = 'the text is not valid UTF-8; what cannot be read of it was replaced'

/** Names, groups, and the columns of the user model that `USER_FIELDS` declares. */
export function readProfile(source: DjangoUser, declared: UserFields): Reading<AdoptedProfile> {
  const { firstName, lastName, groups, damaged } = source
  const fields: Record<string, FieldValue> = {}
  const losses: Loss[] = [...new Set(damaged)].map((what) => ({ what, why: DAMAGED }))
  for (const [name, field] of Object.entries(declared)) {
    if (!Object.hasOwn(source.more, name)) continue
    const read = readValue({ ...field, required: false }, formOf(source.more[name], field))
    if ('value' in read) fields[name] = read.value
    else losses.push({ what: name, why: read.faults.map(({ text }) => text).join(' ') })
  }
  return { given: { firstName, lastName, groups, fields }, losses }
}

/** As a client would send it. */
function formOf(value: unknown, { type }: UserField): unknown {
  if (value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  if (type === 'list' && typeof value === 'string') return listIn(value)
  if (type === 'string' && typeof value !== 'string' && value !== null) return textOf(value)
  return value
}

const textOf = (value: unknown): string =>
  isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value)

function listIn(text: string): unknown {
  const list = parseJson(text)
  return list === undefined ? text : list
}
