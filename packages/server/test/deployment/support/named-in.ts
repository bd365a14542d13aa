/** A call of the program as a file writes it: `latchkey user show ada --json`. */
export type Invocation = { readonly words: readonly string[]; readonly options: readonly string[] }

/** Characters that end a command in the shell. */
const END_OF_CALL = /[|;&<>#`'")\n]/

/** Every call of the program in commands, units and code, but not in prose. */
export const invocations = (text: string): readonly Invocation[] => [
  ...entrypointOf(text),
  ...codeIn(text).flatMap((code) =>
    [...code.matchAll(/(?<=^|[\s/])latchkey (?=[a-z])(?!latchkey\b)/gm)].map(({ index, 0: name }) =>
      parsed(code.slice(index + name.length).split(END_OF_CALL)[0] ?? ''),
    ),
  ),
]

function parsed(rest: string): Invocation {
  const words = rest.trim().split(/\s+/)
  const first = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word))
  return {
    words: first < 0 ? words : words.slice(0, first),
    options: words.flatMap((word) => /^--[a-z-]+/.exec(word)?.[0] ?? []),
  }
}

/** In Markdown only code contains commands. Other files are code. */
function codeIn(text: string): readonly string[] {
  const fenced = text.match(/^```\w*\n[\s\S]*?^```/gm) ?? []
  if (fenced.length === 0) return [text.replaceAll(/^ *#.*$/gm, '')]
  const prose = text.replaceAll(/^```\w*\n[\s\S]*?^```/gm, '')
  return [...fenced, ...(prose.match(/`[^`\n]+`/g) ?? []).map((code) => code.slice(1, -1))]
}

/** What an image runs: `ENTRYPOINT ["tini", "--", "latchkey"]`, then `CMD ["serve"]`. */
function entrypointOf(text: string): readonly Invocation[] {
  if (!/^ENTRYPOINT \[.*"latchkey"\]$/m.test(text)) return []
  const command = /^CMD (\[.*\])$/m.exec(text)?.[1]
  return [parsed((JSON.parse(command ?? '[]') as string[]).join(' '))]
}

/** Variables that get a value at the beginning of a line, or from a unit. */
export const assignedNames = (text: string): readonly string[] =>
  [...text.matchAll(/^(?:ENV |Environment=|\s+)?([A-Z][A-Z0-9_]*)(?:=|: )/gm)].map(
    ([, name = '']) => name,
  )

/** Upper-case names of several words: with an underscore, or a dot after their group. */
export const settingLikeNames = (text: string): readonly string[] =>
  text.match(/\b[A-Z][A-Z0-9]*(?:[_.][A-Z0-9]+)+\b/g) ?? []
