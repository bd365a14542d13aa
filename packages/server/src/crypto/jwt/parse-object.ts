import { isUtf8 } from 'node:buffer'

/** A JSON object whose keys are all different; null for anything else. */
export function parseObject(bytes: Buffer): Record<string, unknown> | null {
  if (!isUtf8(bytes)) return null
  const text = bytes.toString('utf8')
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) && !repeatsKey(text, value) ? value : null
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Of a key that stands twice one reader takes the first value and another the last: refused.
 * What is written as we would write it cannot repeat one; the rest is counted, on valid JSON.
 */
function repeatsKey(text: string, value: object): boolean {
  if (JSON.stringify(value) === text) return false
  let depth = 0
  let members = 0
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    if (mark === '{' || mark === '[') depth += 1
    else if (mark === '}' || mark === ']') depth -= 1
    else if (mark === ':' && depth === 1) members += 1
  }
  return members !== Object.keys(value).length
}
