import { parseArgs } from 'node:util'
import { nearest } from '../kernel/texts.ts'
import { type Command, commonOptions, type Option, type Options, spelling } from './command.ts'
import { commands, type Listing } from './commands.ts'
import { type CommandRefusal, usageRefusal } from './refusal.ts'

/** The command that the line begins with, and what follows its name. */
type Found =
  | { readonly listing: Listing; readonly args: readonly string[] }
  /**
   * Help was requested without a command: for all commands, or for those with the same first word.
   */
  | { readonly helpOn: readonly Listing[] }

export function findCommand(argv: readonly string[]): Found {
  // `--version` works as in other programs.
  if (argv[0] === '--version') return findCommand(['version', ...argv.slice(1)])
  for (const words of [2, 1]) {
    const name = argv.slice(0, words).join(' ')
    const listing = commands.find((candidate) => candidate.name === name)
    if (listing) return { listing, args: argv.slice(words) }
  }
  const [first, second] = argv.filter((word) => !word.startsWith('-'))
  if (first === undefined) {
    if (wantsHelp(argv)) return { helpOn: commands }
    throw usageRefusal('No command is given. "latchkey --help" lists all commands.')
  }
  const family = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (family.length > 0 && (second === undefined || argv[1]?.startsWith('-'))) {
    if (wantsHelp(argv)) return { helpOn: family }
    const listing = family.find(({ isDefault }) => isDefault)
    if (listing && argv[0] === first) return { listing, args: argv.slice(1) }
    throw usageRefusal(`"${first}" needs a second word: ${family.map(nameOf).join(', ')}.`)
  }
  // A word after an option may be its value, and so a secret. It is not quoted.
  if (argv[0] !== first) {
    if (wantsHelp(argv)) return { helpOn: commands }
    throw usageRefusal('The command comes before its options.')
  }
  throw unknownCommand(first, second, family.length > 0)
}

const nameOf = ({ name }: Listing): string => name

const wantsHelp = (argv: readonly string[]): boolean =>
  argv.some((word) => word === '--help' || word === '-h')

function unknownCommand(first: string, second = '', isFamily: boolean): CommandRefusal {
  const names = commands.map(nameOf)
  const meant = nearest(`${first} ${second}`.trim(), names) ?? nearest(first, names)
  // Does not quote the second word if the first is unknown: it could be a secret.
  const written = isFamily ? `${first} ${second}` : first
  return usageRefusal(
    `There is no command "${written}".${meant ? ` Did you mean "${meant}"?` : ''}`,
  )
}

/** The values of the options, by name. */
type Values = Readonly<Record<string, boolean | string | readonly string[] | undefined>>

export type Arguments = {
  readonly values: Values
  readonly argument: string
  readonly rest: readonly string[]
}

/** Parses what follows the name of the command. Returns `help` if there is `--help`. */
export function parseArguments(
  name: string,
  command: Command,
  args: readonly string[],
): Arguments | 'help' {
  const options: Options = { ...command.options, ...commonOptions }
  // Not strict: our own messages never quote a value, since it may be a secret.
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(Object.entries(options).map(([name, o]) => [name, configOf(o)])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const given = tokens.filter((token) => token.kind === 'option')
  if (given.some(({ rawName }) => rawName === '--help' || rawName === '-h')) return 'help'
  for (const token of given) checkGiven(token, options)
  for (const [name, option] of Object.entries(options)) {
    if (option.type === 'needed' && values[name] === undefined) {
      throw usageRefusal(`The option ${spelling(name, option)} is required.`)
    }
  }
  const withDefaults = Object.entries(options).map(([name, { type }]) => [
    name,
    values[name] ?? DEFAULTS[type],
  ])
  return {
    values: Object.fromEntries(withDefaults),
    ...argumentsOf(name, command, positionals, values),
  }
}

const DEFAULTS = { flag: false, optional: undefined, needed: undefined, repeated: [] } as const

const configOf = ({ type }: Option) => ({
  type: type === 'flag' ? ('boolean' as const) : ('string' as const),
  multiple: type === 'repeated',
})

type GivenOption = {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function checkGiven({ name, rawName, value, inlineValue }: GivenOption, options: Options): void {
  const option = rawName.startsWith('--') && Object.hasOwn(options, name) ? options[name] : null
  if (!option) {
    const meant = nearest(name, Object.keys(options))
    throw usageRefusal(`There is no option ${rawName}.${meant ? ` Did you mean --${meant}?` : ''}`)
  }
  if (option.type === 'flag') {
    if (value !== undefined) throw usageRefusal(`${rawName} takes no value.`)
    return
  }
  // An empty value is probably a variable without one, and must not mean "none".
  if (!value?.trim()) throw usageRefusal(`${rawName} needs a value: ${spelling(name, option)}`)
  // This is probably the next option, not a value. A dash alone means standard input.
  if (!inlineValue && value.startsWith('-') && value !== '-') {
    const inline = `${rawName}=${option.placeholder}`
    throw usageRefusal(`${rawName} needs a value. If the value begins with a dash, write ${inline}`)
  }
}

/** Divides what is no option into the argument and what follows it. */
function argumentsOf(
  name: string,
  { argument: declared }: Command,
  positionals: readonly string[],
  values: object,
): Pick<Arguments, 'argument' | 'rest'> {
  if (!declared) {
    if (positionals.length > 0) throw usageRefusal(`"${name}" takes only options.`)
    return { argument: '', rest: [] }
  }
  const { placeholder, doc, orOptions = [], orSetting, followedBy } = declared
  const instead = orOptions.filter((option) => Object.hasOwn(values, option)).length
  const isNamed = instead > 0
  const end = isNamed ? 0 : 1
  const [first, ...others] = followedBy ? positionals.slice(0, end) : positionals
  const rest = followedBy ? positionals.slice(end) : []
  if (instead > 1 || (isNamed && first !== undefined)) {
    const ways = [placeholder, ...orOptions.map((one) => `--${one}`)]
    throw usageRefusal(`Give only one of ${ways.join(', ')}.`)
  }
  const mayBeMissing = isNamed || (first === undefined && orSetting !== undefined)
  if (!first && !mayBeMissing) throw usageRefusal(`${placeholder} is missing: ${doc}.`)
  if (others.length > 0) throw usageRefusal(`"${name}" takes only one ${placeholder}.`)
  if (followedBy && rest.length === 0) {
    throw usageRefusal(`${followedBy.placeholder} is missing: ${followedBy.doc}.`)
  }
  if (followedBy?.once && rest.length > 1) {
    throw usageRefusal(`"${name}" takes only one ${followedBy.placeholder}.`)
  }
  return { argument: first ?? '', rest }
}
