import type { Io } from './io.ts'
import type { Options, ValuesOf } from './option.ts'

export type Argument = {
  readonly placeholder: string
  readonly doc: string
  /** Options of which one may take its place. */
  readonly orOptions?: readonly string[]
}

export type Call<O extends Options = Options> = {
  readonly values: ValuesOf<O>
  /** Empty for a command that takes none. */
  readonly argument: string
  readonly json: boolean
  readonly io: Io
  /** Prints the answer: the text for people, or with `--json` the data for programs. */
  say(text: string, data: unknown): void
}

type Declaration<O extends Options> = {
  readonly argument?: Argument
  readonly options: O
  /** Done when it resolves; a refusal is thrown. */
  run(call: Call<O>): Promise<void>
}

/** A command whose particular types have done their work. */
export type Command = Omit<Declaration<Options>, 'run'> & {
  run(call: Call): Promise<void>
}

/**
 * A command is a value; its help and its parsing are derived from it. Its name is in the list of
 * commands, which knows it without loading it.
 */
export const command = <const O extends Options>(declaration: Declaration<O>): Command =>
  declaration as unknown as Command
