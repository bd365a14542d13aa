import type { Loss } from '../../../core/takeover.ts'
import { isObject } from '../../../kernel/json-object.ts'
import { readValue } from '../../../kernel/user-fields/read-value.ts'
import type { FieldValue, UserField, UserFields } from '../../../kernel/user-fields/user-field.ts'
import type { DjangoUser } from '../../../storage/django/django-user.ts'

type Read = { readonly values: Record<string, FieldValue>; readonly losses: Loss[] }

/** The columns of the user model that `USER_FIELDS` declares, with values of their types. */
export function adoptedFields(source: DjangoUser, declared: UserFields): Read {
  const values: Record<string, FieldValue> = {}
  const losses: Loss[] = []
  for (const [name, field] of Object.entries(declared)) {
    if (!Object.hasOwn(source.more, name)) continue
    const read = readValue({ ...field, required: false }, formOf(source.more[name], field))
    if ('value' in read) values[name] = read.value
    else losses.push({ source, what: name, why: read.faults.map(({ text }) => text).join(' ') })
  }
  return { values, losses }
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
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
