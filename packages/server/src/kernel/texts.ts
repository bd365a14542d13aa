import { type Fault, fault } from './problems.ts'

/** Characters that no text may contain: databases and mails cannot hold them. */
export function charactersOf(value: string): Fault[] {
  const faults = value.includes('\0') ? [fault('null_characters')] : []
  if (value.isWellFormed()) return faults
  const lone = /\p{Surrogate}/u.exec(value)?.[0].charCodeAt(0) ?? 0
  return [...faults, fault('surrogate_characters', { codePoint: lone.toString(16).toUpperCase() })]
}

/** Counts code points, as people count characters. The exact count is only made if it matters. */
export function isLonger(value: string, max: number): boolean {
  if (value.length <= max) return false
  return value.length > 2 * max || [...value].length > max
}

/** The Python name of the type, since dj-rest-auth uses it in its messages. */
export function nameOfType(value: unknown): string {
  if (value === null) return 'NoneType'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  return typeof value === 'object' ? 'dict' : 'str'
}
