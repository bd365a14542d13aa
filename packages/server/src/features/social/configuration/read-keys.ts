import { isObject } from '../../../kernel/json-object.ts'
import { type Kind, kind } from '../../../kernel/setting-kinds/kind.ts'

/** Where the settings are being read, and what was found wrong so far: one line each. */
export type Place = { path: string; mistakes: string[] }

export const inside = ({ path, mistakes }: Place, key: string): Place => ({
  path: `${path}.${key}`,
  mistakes,
})

/** Every key by its kind; unknown keys are mistakes. No value is ever quoted: some are secrets. */
export function readKeys(
  object: Readonly<Record<string, unknown>>,
  kinds: Readonly<Record<string, Kind<unknown>>>,
  { path, mistakes }: Place,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [key, raw] of Object.entries(object)) {
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

/** What the original knows and nothing here needs: such a config can be taken over as it is. */
export const ignored: Kind<unknown> = kind('anything', (input) => input ?? null)
