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
  return paragraphs(`${listing.summary}.`, usageOf(listing, command), [
    ...positionals.map(({ placeholder, doc }) => [placeholder, sentence(doc)]),
    ...Object.entries(options).map(([name, option]) => [spelling(name, option), option.doc]),
  ])
}

export const helpOnAll = (commands: readonly Listing[]): string =>
  paragraphs(
    `Latchkey ${VERSION}, a self-hosted authentication service.`,
    `${USAGE}\n"latchkey <command> --help" explains a command.`,
    commands.map(({ name, summary }) => [name, summary]),
  )

const paragraphs = (first: string, usage: string, rows: readonly (readonly string[])[]): string =>
  `${first}\n\n${usage}\n\n${table(rows, '  ')}`
