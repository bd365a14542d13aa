import { parseJson } from '../../../server/src/kernel/json-object.ts'
import { randomUuid } from '../../../server/src/kernel/random.ts'
import { readFlag } from '../../../server/src/kernel/user-fields/read-value.ts'
import type {
  FieldValue,
  UserFieldType,
} from '../../../server/src/kernel/user-fields/user-field.ts'
import { wallClock } from '../../../server/src/kernel/wall-clock.ts'
import type { Column, DjangoSource } from './source.ts'

/** A value of a field in `USER_FIELDS`. */
export type TypedValue = { readonly type: UserFieldType; readonly value: FieldValue }

/** Converts values to the form that Django stores in a column of that type. */
export function createColumnValues({
  isSqlite,
  timeZone,
}: Pick<DjangoSource, 'isSqlite' | 'timeZone'>) {
  const flag = (value: boolean) => (isSqlite ? Number(value) : value)

  /** With microseconds, or without a fraction if it is zero. */
  function time(at: number, type: string): string {
    const hasZone = !isSqlite && !type.includes('without time zone')
    if (hasZone) return new Date(at).toISOString()
    const shown = timeZone === null ? at : wallClock(at, timeZone)
    return new Date(shown).toISOString().replace('T', ' ').replace('.000Z', '').replace('Z', '000')
  }

  /** The driver of SQLite accepts neither booleans nor lists. */
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
    if (type === 'uuid') return randomUuid()
    // Django's type for UUIDs on SQLite. Texts of a fixed length are varchar there.
    if (isSqlite && type === 'char(32)') return randomUuid().replaceAll('-', '')
    if (type === 'date') return time(at, type).slice(0, 'yyyy-mm-dd'.length)
    if (/^time(?!stamp)/.test(type)) return '00:00:00'
    if (/date|time/.test(type)) return time(at, type)
    return ''
  }

  return { flag, time, valueFor, emptyValue }
}

/** Text that is JSON already stays as it is. */
function jsonOf(value: Exclude<FieldValue, null>): string {
  const isJson = typeof value === 'string' && parseJson(value) !== undefined
  return isJson ? value : JSON.stringify(value)
}
