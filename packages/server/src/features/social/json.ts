/** What lies at a path in an answer of another party: own keys only, and nothing is assumed. */
export function at(json: unknown, ...path: readonly string[]): unknown {
  let value = json
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** A text that is not empty. Ids come as numbers, too; those that JSON has rounded are none. */
export function textAt(json: unknown, ...path: readonly string[]): string | null {
  const value = at(json, ...path)
  if (typeof value === 'string' && value !== '') return value
  return Number.isSafeInteger(value) ? String(value) : null
}
