import { isUtf8 } from 'node:buffer'

/** A JSON object whose keys are all different; null for anything else. */
export function parseObject(bytes: Buffer): Record<string, unknown> | null {
  if (!isUtf8(bytes)) return null
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return isObject(value) && !repeatsKey(bytes, value) ? value : null
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Of a key that stands twice one reader takes the first value and another the last: refused. */
const repeatsKey = (bytes: Buffer, value: object): boolean =>
  countMembers(bytes) !== Object.keys(value).length

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a]
const [BRACE, BRACKET] = [0x7b, 0x5b]
const [BRACE_END, BRACKET_END] = [0x7d, 0x5d]

/** As they are written, in the outermost object of valid JSON. */
function countMembers(bytes: Buffer): number {
  let depth = 0
  let members = 0
  let isText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) isText = !isText
    else if (isText) at += byte === BACKSLASH ? 1 : 0
    else if (byte === BRACE || byte === BRACKET) depth += 1
    else if (byte === BRACE_END || byte === BRACKET_END) depth -= 1
    else if (byte === COLON && depth === 1) members += 1
  }
  return members
}
