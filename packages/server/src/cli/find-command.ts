import { nearest } from '../settings/nearest.ts'
import { commands, type Listing } from './commands.ts'
import { type CommandRefusal, usageRefusal } from './refusal.ts'

/** The command that the line begins with, and what follows its name. */
export type Found =
  | { readonly listing: Listing; readonly args: readonly string[] }
  /** No command, but help is wanted: for all commands, or for those with the same first word. */
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
  throw unknownCommand(first, second, family.length > 0)
}

const nameOf = ({ name }: Listing): string => name

const wantsHelp = (argv: readonly string[]): boolean =>
  argv.some((word) => word === '--help' || word === '-h')

function unknownCommand(first: string, second = '', isFamily: boolean): CommandRefusal {
  const names = commands.map(nameOf)
  const meant = nearest(`${first} ${second}`.trim(), names) ?? nearest(first, names)
  // The second word is not repeated if the first is unknown: it could be a secret.
  const written = isFamily ? `${first} ${second}` : first
  return usageRefusal(
    `There is no command "${written}".${meant ? ` Did you mean "${meant}"?` : ''}`,
  )
}
