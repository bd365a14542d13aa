import { VERSION } from '../version.ts'
import { type Argument, type Command, commonOptions, type Options, spelling } from './command.ts'
import type { Listing } from './commands.ts'
import { sentence, table } from './output.ts'

export const USAGE = 'Usage: latchkey <command> [options]'

/** `Usage: latchkey user create --username <name> [options]` */
export function usageOf({ name }: Listing, { argument, options }: Command): string {
  const needed = Object.entries(options).filter(([, { type }]) => type === 'needed')
  const words = [
    name,
    ...(argument ? [argument.orSetting ? `[${argument.placeholder}]` : argument.placeholder] : []),
    ...(argument?.followedBy ? [followingOf(argument.followedBy)] : []),
    ...needed.map(([name, option]) => spelling(name, option)),
  ]
  return `Usage: latchkey ${words.join(' ')} [options]`
}

const followingOf = ({ placeholder, once }: NonNullable<Argument['followedBy']>): string =>
  once ? placeholder : `${placeholder} …`

export function helpOn(listing: Listing, command: Command): string {
  const { argument } = command
  const options: Options = { ...command.options, ...commonOptions }
  const positionals = [argument, argument?.followedBy].filter((one) => one !== undefined)
  const rows = [
    ...positionals.map(({ placeholder, doc }) => [placeholder, sentence(doc)]),
    ...Object.entries(options).map(([name, option]) => [spelling(name, option), option.doc]),
  ]
  return `${listing.summary}.\n\n${usageOf(listing, command)}\n\n${table(rows, '  ')}`
}

export function helpOnAll(commands: readonly Listing[]): string {
  // One table, so that the columns of all groups are equally wide.
  const rows = table(
    commands.map(({ name, summary }) => [name, summary]),
    '  ',
  ).split('\n')
  const lines = commands.map(({ group }, at) => {
    const isFirst = group !== commands[at - 1]?.group
    return `${isFirst ? `\n${group}\n` : ''}${rows[at]}\n`
  })
  return `Latchkey ${VERSION}, a self-hosted authentication service.

${USAGE}
"latchkey <command> --help" explains a command.
${lines.join('')}`
}
