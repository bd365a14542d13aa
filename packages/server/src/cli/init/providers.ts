import { configureProviders } from '../../features/social/configuration/configure-providers.ts'
import { providers } from '../../features/social/providers/all.ts'
import { SettingsError } from '../../kernel/settings-error.ts'
import { usageRefusal } from '../refusal.ts'
import { QUESTION_COUNT } from './answers.ts'
import type { Terminal } from './terminal.ts'

/** Without a secret, the config file takes it from the environment. */
export type ChosenProvider = { id: string; clientId: string; secret: string | null }

/** The providers that need only a client id and a secret. */
const SIMPLE: readonly string[] = providers
  .map(({ id }) => id)
  .filter((id) => faultsOf(id, 'id').length === 0)

/** The variable of the environment that holds the secret. */
export const secretVariable = (id: string): string => `${id.toUpperCase()}_CLIENT_SECRET`

/** From options such as `google=<client id>`, else from the terminal. */
export async function collectProviders(
  options: readonly string[],
  terminal: Terminal | null,
): Promise<ChosenProvider[]> {
  if (options.length > 0) return once(options.map(fromOption))
  return terminal ? askForProviders(terminal) : []
}

/** A provider has one client id. Another one would replace it. */
function once(chosen: ChosenProvider[]): ChosenProvider[] {
  const ids = chosen.map(({ id }) => id)
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  if (twice !== undefined) throw usageRefusal(`--provider: ${twice} is given twice.`)
  return chosen
}

function fromOption(option: string): ChosenProvider {
  const [id = '', ...rest] = option.split('=')
  const clientId = rest.join('=')
  if (!SIMPLE.includes(id)) {
    throw usageRefusal(`--provider: expected <name>=<client id>, with one of ${SIMPLE.join(', ')}.`)
  }
  const [fault] = faultsOf(id, clientId)
  if (fault !== undefined) throw usageRefusal(`--provider: ${fault}`)
  return { id, clientId, secret: null }
}

async function askForProviders(terminal: Terminal): Promise<ChosenProvider[]> {
  const chosen: ChosenProvider[] = []
  for (const id of await askForNames(terminal)) {
    const clientId = await askForClientId(terminal, id)
    const later = `Enter to give it later, in ${secretVariable(id)}`
    const secret = await terminal.askSecret(`    Its secret (it is not shown; ${later}): `)
    chosen.push({ id, clientId, secret: secret || null })
  }
  return chosen
}

async function askForNames(terminal: Terminal): Promise<string[]> {
  const question = `${QUESTION_COUNT}/${QUESTION_COUNT} Which providers may people sign in with? Any of ${SIMPLE.join(', ')}\n    [none] `
  for (;;) {
    const answer = (await terminal.ask(question)).toLowerCase()
    if (answer === '' || answer === 'none') return []
    const names = [...new Set(answer.split(/[\s,]+/).filter((name) => name !== ''))]
    const unknown = names.filter((name) => !SIMPLE.includes(name))
    if (unknown.length === 0) return names
    terminal.tell(`    There is no ${unknown.join(', ')}. Write names from the list, with commas.`)
  }
}

async function askForClientId(terminal: Terminal, id: string): Promise<string> {
  for (;;) {
    const clientId = await terminal.ask(`    The client id of ${id}: `)
    const [fault] = faultsOf(id, clientId)
    if (fault === undefined) return clientId
    terminal.tell(`    ${fault}`)
  }
}

function faultsOf(id: string, clientId: string): readonly string[] {
  return faultsOfProvider(id, { APP: { client_id: clientId, secret: 'given later' } })
}

/** The mistakes that a start with this provider would report. */
export function faultsOfProvider(
  id: string,
  block: Readonly<Record<string, unknown>>,
): readonly string[] {
  try {
    configureProviders({ [id]: block })
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.mistakes
    throw error
  }
}
