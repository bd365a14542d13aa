/** The value at a path in a foreign answer. Only own keys count, and every level may be missing. */
export function at(json: unknown, ...path: readonly string[]): unknown {
  let value = json
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** A non-empty text at a path. Numbers are ids; those that JSON may have rounded are refused. */
export function textAt(json: unknown, ...path: readonly string[]): string | null {
  const value = at(json, ...path)
  if (typeof value === 'string' && value !== '') return value
  return Number.isSafeInteger(value) ? String(value) : null
}
