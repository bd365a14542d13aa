const INTRODUCTION = `# What can be imported

<!-- Written by scripts/write-docs.js from the type declarations of the package. -->

Everything that a program can import from Latchkey. Nothing else of the package can be imported, and all else
may change at any time. After the exports come types that they only mention. The settings are without their
comments here; [Settings](settings.md) has them.
`

const EXPORTED =
  /^(\/\*\*.*?\*\/\n)?export (?:declare )?(function|const|class|type|interface) (\w+)/s
const OF_SETTING = /^ *\/\*\*\n(?: +\* .*\n)* +\* @default .*\n +\*\/\n/gm

/**
 * What is exported by a file of declarations, as `roll-up.js` writes it.
 *
 * @param {string} declarations
 * @returns {{ name: string, kind: string, says: string }[]}
 */
export function exportsOf(declarations) {
  return declarations.split('\n\n').flatMap((block) => {
    const [, comment = '', kind, name] = EXPORTED.exec(block) ?? []
    return name ? [{ name, kind, says: firstSentence(comment) }] : []
  })
}

/**
 * The page that lists them.
 *
 * @param {[name: string, declarations: string][]} modules
 */
export function exportsPage(modules) {
  const sections = modules.map(([module, declarations]) => {
    const rows = exportsOf(declarations).map(({ name, says }) => `| \`${name}\` | ${says} |`)
    const code = declarations.replaceAll(OF_SETTING, '').replace(/\n*export \{\};\n*$/, '')
    return [`## \`${module}\`\n`, '| | |', '|---|---|', ...rows, '', '```ts', code, '```\n'].join(
      '\n',
    )
  })
  return [INTRODUCTION, ...sections].join('\n')
}

function firstSentence(comment) {
  const text = comment
    .replaceAll(/^\s*(\/\*\*| \*\/| \*)|\*\/$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text
}
