import { readFlag } from '../../../server/src/kernel/user-fields/read-value.ts'
import type {
  FieldValue,
  UserFieldType,
} from '../../../server/src/kernel/user-fields/user-field.ts'
import { wallClock } from '../../../server/src/kernel/wall-clock.ts'
import type { Column, DjangoSource } from './source.ts'

/** A value of a field that the deployment declares. */
export type TypedValue = { readonly type: UserFieldType; readonly value: FieldValue }

/** Writes values in the form that Django gives them in a column of that type. */
export function createColumnValues({
  isSqlite,
  timeZone,
}: Pick<DjangoSource, 'isSqlite' | 'timeZone'>) {
  const flag = (value: boolean) => (isSqlite ? Number(value) : value)

  /** In microseconds, and without a fraction if that is zero. */
  function time(at: number, type: string): string {
    const hasZone = !isSqlite && !type.includes('without time zone')
    if (hasZone) return new Date(at).toISOString()
    const shown = timeZone === null ? at : wallClock(at, timeZone)
    return new Date(shown).toISOString().replace('T', ' ').replace('.000Z', '').replace('Z', '000')
  }

  /** Never a boolean or a list on SQLite, whose driver takes neither. */
  function valueFor({ type }: Pick<Column, 'type'>, value: Exclude<FieldValue, null>): unknown {
    if (type.endsWith('[]')) return Array.isArray(value) ? value : [String(value)]
    if (/json/.test(type)) return jsonOf(value)
    if (typeof value === 'object') return JSON.stringify(value)
    if (/bool/.test(type)) return flag(readFlag(String(value)) ?? false)
    if (/int|numeric|decimal|double|real|float/.test(type)) return Number(value)
    if (/datetime|timestamp/.test(type) && !Number.isNaN(Date.parse(String(value)))) {
      return time(Date.parse(String(value)), type)
    }
    return String(value)
  }

  /** For columns that must not be empty. */
  function emptyValue({ type }: Pick<Column, 'type'>, at: number, field?: UserFieldType): unknown {
    if (field === 'list' || type.endsWith('[]')) return valueFor({ type }, [])
    if (/bool/.test(type)) return flag(false)
    if (/int|numeric|decimal|double|real|float/.test(type)) return 0
    if (/json/.test(type)) return '{}'
    if (/date|time/.test(type)) return time(at, type)
    return ''
  }

  return { flag, time, valueFor, emptyValue }
}

/** A text may be JSON already: of a field that holds more than a list. */
function jsonOf(value: Exclude<FieldValue, null>): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  try {
    JSON.parse(value)
    return value
  } catch {
    return JSON.stringify(value)
  }
}
