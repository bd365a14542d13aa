import { bytesOf } from './base64url.ts'

/** What a browser says about a ceremony takes some 200 bytes. */
const MAX_BYTES = 8192
const MAX_DEPTH = 4

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Refuses client data that two readers could understand in two ways, and ceremonies that another
 * site framed. Type, challenge and origin are compared by the verification that follows.
 */
export function checkClientData(encoded: unknown): void {
  const text = utf8.decode(bytesOf(encoded, 'clientDataJSON', MAX_BYTES))
  const data: unknown = JSON.parse(text)
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new Error('clientDataJSON is not an object')
  }
  const { depth, keys } = outlineOf(text)
  if (depth > MAX_DEPTH) throw new Error('clientDataJSON is nested too deeply')
  if (keys !== Object.keys(data).length) throw new Error('clientDataJSON has a key twice')

  const { crossOrigin = false, topOrigin } = data as Record<string, unknown>
  if (crossOrigin !== false || topOrigin !== undefined) throw new Error('cross-origin ceremony')
}

/** How deep a valid JSON text goes, and how many keys its outermost object is written with. */
function outlineOf(text: string): { depth: number; keys: number } {
  let level = 0
  let depth = 0
  let keys = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    if (token === '{' || token === '[') depth = Math.max(depth, ++level)
    else if (token === '}' || token === ']') level--
    else if (token === ':' && level === 1) keys++
  }
  return { depth, keys }
}
