import { existsSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { isLoopback } from '../../kernel/hosts.ts'
import { randomToken } from '../../kernel/random.ts'
import { USUAL_NAMES } from '../../settings/config-file.ts'
import { isServerDatabase } from '../../settings/kinds/connection-urls.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import { command } from '../command.ts'
import { shellWord } from '../output.ts'
import { refusal, usageRefusal } from '../refusal.ts'
import { refuseToReplace, writePrivateFile } from '../write-private-file.ts'
import { collectAnswers } from './answers.ts'
import { configText } from './config-text.ts'
import { type ChosenProvider, collectProviders, secretVariable } from './providers.ts'
import { openTerminal } from './terminal.ts'

/** It is a module in every project. What `.js` is depends on `type` in `package.json`. */
const OUR_NAME = 'latchkey.config.mjs'
const SECRET_KEY_BYTES = 48

export const init = command({
  options: {
    name: { type: 'optional', placeholder: '<text>', doc: 'The name of the site' },
    url: { type: 'optional', placeholder: '<url>', doc: 'The address that browsers use' },
    database: {
      type: 'optional',
      placeholder: '<url>',
      doc: 'Where data is stored: sqlite:<file> or postgres://…',
    },
    mail: {
      type: 'optional',
      placeholder: '<url>',
      doc: 'How mails are sent: console:, file:<folder>, smtp://… or smtps://…',
    },
    provider: {
      type: 'repeated',
      placeholder: '<name=client id>',
      doc: 'A provider of social login, such as google=…; its secret is read from the environment; can be repeated',
    },
    admin: {
      type: 'flag',
      doc: 'Switch on the admin API and its pages, for operators',
    },
    output: {
      type: 'optional',
      placeholder: '<file>',
      doc: `Where to write; the default is ${OUR_NAME}`,
    },
    force: { type: 'flag', doc: 'Replace an existing file' },
  },
  async run({ values, io, json, say }) {
    const file = resolve(io.cwd, values.output ?? OUR_NAME)
    if (!file.endsWith('.mjs'))
      throw usageRefusal('--output must end in .mjs: the file is a module.')
    refuseToOverwrite(file, values.force)

    const terminal = io.stdin.isTTY && !json ? openTerminal(io) : null
    terminal?.tell('Five questions. Press Enter to take the answer in brackets.\n')
    try {
      const answers = await collectAnswers(values, basename(io.cwd), terminal)
      const providers = await collectProviders(values.provider, terminal)
      const settings = { ...answers, ...furtherSettings(answers), ...modulesWith(values.admin) }
      resolveSettings(settings)
      writePrivateFile(file, configText(settings, providers), { force: values.force })
      const steps = nextSteps(file, io.cwd, answers.PUBLIC_URL, providers, values.admin)
      say(`Wrote ${file}\n\n${steps.join('\n')}`, {
        file,
        environment: variablesOf(providers),
      })
    } finally {
      terminal?.close()
    }
  },
})

function refuseToOverwrite(file: string, force: boolean): void {
  refuseToReplace(file, force)
  const usual = USUAL_NAMES.map((name) => join(dirname(file), name))
  if (!usual.includes(file)) return
  const other = usual.find((one) => one !== file && existsSync(one))
  if (other === undefined) return
  throw refusal(
    `${other} already exists, and a start would not know which of the two to read. Remove it first.`,
  )
}

type Given = { PUBLIC_URL: string; DATABASE_URL: string }

/** Settings that follow from the answers. */
function furtherSettings({ PUBLIC_URL, DATABASE_URL }: Given) {
  const { hostname, port, protocol } = new URL(PUBLIC_URL)
  const isHere = protocol === 'http:' && isLoopback(hostname) && port !== ''
  return {
    ...(isHere && { PORT: Number(port) }),
    // With the embedded database, the first start generates it and stores it beside the database.
    ...(isServerDatabase(DATABASE_URL) && { SECRET_KEY: randomToken(SECRET_KEY_BYTES) }),
  }
}

/** All modules are on by default but this one. */
const modulesWith = (admin: boolean) =>
  admin ? { MODULES: [...resolveSettings({}).MODULES, 'admin'] } : {}

const variablesOf = (providers: readonly ChosenProvider[]): string[] =>
  providers.filter(({ secret }) => secret === null).map(({ id }) => secretVariable(id))

function nextSteps(
  file: string,
  cwd: string,
  site: string,
  providers: readonly ChosenProvider[],
  hasAdmin: boolean,
): string[] {
  const isFound = file === join(cwd, OUR_NAME)
  const options = isFound ? '' : ` --config ${shellWord(relative(cwd, file))}`
  return [
    'Next:',
    ...variablesOf(providers).map((name) => `  export ${name}=…`),
    `  npx latchkey check${options}`,
    `  npx latchkey serve${options}`,
    ...(providers.length > 0 ? ['', 'Register these addresses with the providers:'] : []),
    ...providers.map(({ id }) => `  ${new URL(`/account/callback/${id}`, site)}`),
    ...(hasAdmin ? ['', ...firstOperator(options)] : []),
  ]
}

/** The pages ask for a second factor, so the operator needs one, and a proved address for it. */
const firstOperator = (options: string): string[] => [
  'Create the first operator, and give them a second factor before others can reach the service:',
  `  npx latchkey user create --superuser --username <name> --email <address> --verified --password-stdin${options}`,
  `The admin pages are at ${resolveSettings({}).ADMIN_PUBLIC_URL}/admin/. They ask for the second factor at the first login.`,
]
