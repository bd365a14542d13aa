import { inspect } from 'node:util'
import { socialAccount } from '../../settings/groups/socialaccount.ts'
import { topLevel } from '../../settings/settings.ts'
import { type ChosenProvider, secretVariable } from './providers.ts'

const LINE_LENGTH = 96

type TopLevel = Partial<Record<keyof typeof topLevel, string | number | readonly string[]>>

/**
 * Writes the config file: a script, since JSON has no comments. The comments are the docs of the
 * settings.
 */
export function configText(settings: TopLevel, providers: readonly ChosenProvider[]): string {
  const lines = (Object.keys(settings) as (keyof TopLevel)[]).map(
    (name) => `${commentOf(topLevel[name].doc, '  ')}  ${name}: ${literal(settings[name])},\n`,
  )
  const needsEnvironment = providers.some(({ secret }) => secret === null)
  return `// The settings of this Latchkey. Environment variables override this file, and --set overrides both.
// \`latchkey settings\` shows all settings with their values. docs/settings.md explains them.
${needsEnvironment ? "import { env } from 'node:process'\n" : ''}
/** @type {import('latchkey').SettingsInput} */
export default {
${lines.join('\n')}${providers.length > 0 ? `\n${providersText(providers)}` : ''}}
`
}

function providersText(providers: readonly ChosenProvider[]): string {
  const blocks = providers.map(
    ({ id, clientId, secret }) => `      ${id}: {
        APP: {
          client_id: ${literal(clientId)},
          secret: ${secret === null ? `env.${secretVariable(id)}` : literal(secret)},
        },
      },
`,
  )
  return `  SOCIALACCOUNT: {
${commentOf(socialAccount.PROVIDERS.doc, '    ')}    PROVIDERS: {
${blocks.join('')}    },
  },
`
}

const literal = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(literal).join(', ')}]`
    : inspect(value, { breakLength: Number.POSITIVE_INFINITY, maxStringLength: null })

function commentOf(doc: string, indent: string): string {
  const lines: string[] = []
  for (const word of doc.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && longer.length <= LINE_LENGTH) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.map((line) => `${indent}// ${line}\n`).join('')
}
