import { isObject } from '../../../kernel/json-object.ts'
import { withoutUndefined } from '../../../kernel/setting-kinds/compounds.ts'
import { type Kind, kind } from '../../../kernel/setting-kinds/kind.ts'

/** The path in the settings, and the mistakes found so far, one line each. */
export type Place = { path: string; mistakes: string[] }

export const inside = ({ path, mistakes }: Place, key: string): Place => ({
  path: `${path}.${key}`,
  mistakes,
})

/**
 * Reads every key by its kind. Unknown keys are mistakes, and undefined values count as not given. Values are never quoted, since some are
 * secrets.
 */
export function readKeys(
  object: Readonly<Record<string, unknown>>,
  kinds: Readonly<Record<string, Kind<unknown>>>,
  { path, mistakes }: Place,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [key, raw] of Object.entries(withoutUndefined(object))) {
    const parsed = Object.hasOwn(kinds, key) ? kinds[key]?.parse(raw) : undefined
    if (!parsed) {
      mistakes.push(`${path}.${key}: no such key; there are ${Object.keys(kinds).join(', ')}`)
    } else if ('refusals' in parsed) {
      mistakes.push(...parsed.refusals.map((one) => `${path}.${key}: expected ${one.expected}`))
    } else values[key] = parsed.value
  }
  return values
}

export const object: Kind<Record<string, unknown>> = kind('an object', (input) =>
  isObject(input) ? input : undefined,
)

/** Keys of allauth that nothing here needs. They are accepted, so that an existing config works. */
export const ignored: Kind<unknown> = kind('anything', (input) => input ?? null)
