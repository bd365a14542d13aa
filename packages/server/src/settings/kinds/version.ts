import { type Kind, kind } from '../../kernel/setting-kinds/kind.ts'

const VERSION = /^\d{1,3}(\.\d{1,4}){0,3}$/

/** A version of dj-rest-auth: `7`, `2.2` or `"7.0.1"`. */
export const version: Kind<string, string | number> = kind(
  'a version number, such as 7 or 2.2.5',
  (input) => {
    const text = typeof input === 'number' ? String(input) : input
    return typeof text === 'string' && VERSION.test(text.trim()) ? text.trim() : undefined
  },
)

/** `2.10` is later than `2.2`, and `3` is the same as `3.0`. */
export function isBefore(one: string, other: string): boolean {
  const [parts, others] = [one, other].map((text) => text.split('.').map(Number))
  for (let i = 0; i < 4; i++) {
    const difference = (parts?.[i] ?? 0) - (others?.[i] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}
