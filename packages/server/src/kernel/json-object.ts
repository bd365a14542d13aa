export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a]
const [BRACE, BRACKET] = [0x7b, 0x5b]
const [BRACE_END, BRACKET_END] = [0x7d, 0x5d]

/**
 * How deeply valid JSON is nested, and how many members its outermost object lists. If it lists
 * more members than it has keys, a key occurs twice. Such JSON is ambiguous: one parser takes the
 * first value, another the last.
 */
export function outlineOf(json: Uint8Array): { depth: number; members: number } {
  let level = 0
  let depth = 0
  let members = 0
  let isText = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) isText = !isText
    else if (isText) at += byte === BACKSLASH ? 1 : 0
    else if (byte === BRACE || byte === BRACKET) depth = Math.max(depth, ++level)
    else if (byte === BRACE_END || byte === BRACKET_END) level -= 1
    else if (byte === COLON && level === 1) members += 1
  }
  return { depth, members }
}

/** A frozen deep copy of plain data. */
export const frozenCopy = <T>(value: T): T => frozen(structuredClone(value))

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}
