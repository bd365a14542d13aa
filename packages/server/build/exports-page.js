const INTRODUCTION = `# What can be imported

<!-- Written by scripts/write-docs.js from the type declarations of the package. -->

Everything that a program can import from Latchkey, with its [declarations](#declarations) below. Nothing else of the
package can be imported, and everything else may change at any time.
`

const DECLARATIONS = `## Declarations

After what a module exports come the types that it only mentions. What one module has declared is not repeated for the
next. The settings are without their comments here; [Settings](settings.md) has them.
`

/** What a module is for, and the page that says so. */
const GUIDES = {
  latchkey: '[The service inside your own server](embedding.md).',
  'latchkey/verify':
    '[Checking access tokens in other services](other-services.md#latchkeyverify).',
  'latchkey/testing': '[The service for the tests of your app](testing.md).',
  'latchkey/testing/vitest': 'The same as [fixtures for Vitest](testing.md#vitest).',
  'latchkey/testing/playwright': 'The same as [fixtures for Playwright](testing.md#playwright).',
}

const EXPORTED =
  /^(\/\*\*.*?\*\/\n)?export (?:declare )?(function|const|class|type|interface) (\w+)/s
const OF_SETTING = /^ *\/\*\*\n(?: +\* .*\n)* +\* @default .*\n +\*\/\n/gm

const isValue = ({ kind }) => /function|const|class/.test(kind)

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
  const tables = modules.map(([module, declarations]) => {
    const exported = exportsOf(declarations)
    const sorted = [...exported.filter(isValue), ...exported.filter((one) => !isValue(one))]
    const rows = sorted.map(({ name, says }) => `| \`${name}\` | ${says} |`)
    return [`## \`${module}\`\n`, GUIDES[module], '', '| | |', '|---|---|', ...rows, ''].join('\n')
  })
  const shown = new Set()
  const sections = modules.map(([module, declarations]) => {
    const blocks = declarations.replaceAll(OF_SETTING, '').trim().split('\n\n')
    const unseen = blocks.filter((block) => block !== 'export {};' && !shown.has(unexported(block)))
    for (const block of unseen) shown.add(unexported(block))
    return `### Of \`${module}\`\n\n\`\`\`ts\n${unseen.join('\n\n')}\n\`\`\`\n`
  })
  return [INTRODUCTION, ...tables, DECLARATIONS, ...sections].join('\n')
}

/** One module may export a type that another only mentions. */
const unexported = (block) => block.replace(/^export /m, '')

function firstSentence(comment) {
  const text = comment
    .replaceAll(/^\s*(\/\*\*| \*\/| \*)|\*\/$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text
}
