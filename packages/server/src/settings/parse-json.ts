/** The value, or what is wrong with the text, without repeating any of it. */
export function parseJson(text: string): { value: unknown } | { mistake: string } {
  // Some editors begin a file with a byte order mark.
  const json = text.replace(/^\uFEFF/, '')
  try {
    return { value: JSON.parse(json) }
  } catch (error) {
    // The parser's message quotes the text around the error, which may be a secret.
    const position = /position (\d+)/.exec(String(error))?.[1]
    return { mistake: `is not valid JSON${position ? lineAndColumn(json, Number(position)) : ''}` }
  }
}

function lineAndColumn(text: string, position: number): string {
  const lines = text.slice(0, position).split('\n')
  return ` (line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1})`
}
