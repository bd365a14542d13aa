/**
 * Replaces each number among the fields of an object by its text, as it was sent: `JSON.parse` loses
 * the end of a long number. `text` is the valid JSON that the object was parsed from. It is read at
 * most once, so this costs no more than parsing it.
 */
export function writeNumbersAsText(fields: Record<string, unknown>, text: string): void {
  const numeric = new Set(Object.keys(fields).filter((name) => typeof fields[name] === 'number'))
  if (numeric.size === 0) return
  let depth = 0
  /** The latest text in the object itself. Before a number, that is the name of its field. */
  let quotedName = '""'
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '"') {
      const end = endOfText(text, at)
      if (depth === 1) quotedName = text.slice(at, end)
      at = end - 1
    } else if ('{['.includes(character)) depth++
    else if ('}]'.includes(character)) depth--
    else if (depth === 1 && BEGINS_NUMBER.test(character)) {
      const end = endOfNumber(text, at)
      const name = JSON.parse(quotedName)
      // Of a name that comes twice, the last value counts, and that may be no number.
      if (numeric.has(name)) fields[name] = text.slice(at, end)
      at = end - 1
    }
  }
}

const BEGINS_NUMBER = /[-\d]/

function endOfText(text: string, start: number): number {
  let at = start + 1
  while (text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1
  return at + 1
}

function endOfNumber(text: string, start: number): number {
  let at = start
  while (/[-+.\deE]/.test(text.charAt(at))) at++
  return at
}
