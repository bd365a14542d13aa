import type { CommandCall } from './command.ts'
import { type Arguments, findCommand, parseArguments } from './command-line.ts'
import { helpOn, helpOnAll, USAGE, usageOf } from './help.ts'
import { type Io, withVisibleOutput } from './io.ts'
import { CommandRefusal, explain } from './refusal.ts'

/**
 * Runs one command. Returns the exit code: 0 for success, 1 for a refusal, 2 for a wrong command
 * line.
 */
export async function runCli(argv: readonly string[], outside: Io): Promise<0 | 1 | 2> {
  const io = withVisibleOutput(outside)
  let usage = USAGE
  try {
    const found = findCommand(argv)
    if ('helpOn' in found) {
      io.stdout.write(helpOnAll(found.helpOn))
      return 0
    }
    const { listing, args } = found
    const command = await listing.load()
    usage = usageOf(listing, command)
    const parsed = parseArguments(listing.name, command, args)
    if (parsed === 'help') io.stdout.write(helpOn(listing, command))
    else await command.run(callOf(parsed, io))
    return 0
  } catch (error) {
    const exitCode = error instanceof CommandRefusal ? error.exitCode : 1
    const lines = [...explain(error), ...(exitCode === 2 ? [usage] : [])]
    io.stderr.write(lines.map((line) => `${line}\n`).join(''))
    return exitCode
  }
}

function callOf({ values, argument, rest }: Arguments, io: Io): CommandCall {
  const json = values.json === true
  return {
    // Parsing has filled in exactly the declared options.
    values: values as never,
    argument,
    rest,
    json,
    io,
    say: (text, data) => {
      io.stdout.write(`${json ? JSON.stringify(data, null, 2) : text}\n`)
    },
  }
}
