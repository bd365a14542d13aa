import { Problem } from '../kernel/problems.ts'
import { SettingsError } from '../kernel/settings-error.ts'
import { firstLine } from '../kernel/texts.ts'

/** A command was refused. The operator sees only the message. */
export class CommandRefusal extends Error {
  readonly exitCode: 1 | 2

  constructor(exitCode: 1 | 2, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

export const refusal = (message: string): CommandRefusal => new CommandRefusal(1, message)

/** A refusal because the command line is wrong. */
export const usageRefusal = (message: string): CommandRefusal => new CommandRefusal(2, message)

export const isProblem = (error: unknown, code: string): boolean =>
  error instanceof Problem && error.message === code

/** For `catch`: explains a problem with this code in words for operators. Others pass. */
export const wordsFor =
  (code: string, words: string) =>
  (error: unknown): never => {
    throw isProblem(error, code) ? refusal(words) : error
  }

/** The error for the person at the terminal: one cause per line, never a stack. */
export function explain(error: unknown): readonly string[] {
  if (error instanceof CommandRefusal) return [error.message]
  if (error instanceof SettingsError) return error.mistakes
  if (error instanceof Problem) return Object.entries(error.bodyIn()).flatMap(problemLines)
  return [`Unexpected error: ${firstLine(error)}`]
}

const problemLines = ([place, texts]: [string, unknown]): readonly string[] => {
  const isField = place !== 'detail' && place !== 'non_field_errors'
  return [texts].flat().map((text) => (isField ? `${place}: ${text}` : String(text)))
}
