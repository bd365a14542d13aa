import type { Io } from './io.ts'

export type Argument = {
  readonly placeholder: string
  readonly doc: string
  /** Options that may replace the argument. */
  readonly orOptions?: readonly string[]
  /** The setting that may replace the argument. */
  readonly orSetting?: string
  /** What may follow it: once, or once or several times. */
  readonly followedBy?: {
    readonly placeholder: string
    readonly doc: string
    readonly once?: true
  }
}

export type CommandCall<O extends Options = Options> = {
  readonly values: ValuesOf<O>
  /** Empty if the command takes no argument. */
  readonly argument: string
  /** What followed the argument. */
  readonly rest: readonly string[]
  readonly json: boolean
  readonly io: Io
  /** Prints the result: the text for people or, with `--json`, the data for programs. */
  say(text: string, data: unknown): void
}

type Declaration<O extends Options> = {
  readonly argument?: Argument
  readonly options: O
  /** Resolves when the command is done. A refusal is thrown. */
  run(call: CommandCall<O>): Promise<void>
}

/** A command after type checking: its specific types are no longer needed. */
export type Command = Omit<Declaration<Options>, 'run'> & {
  run(call: CommandCall): Promise<void>
}

/**
 * Declares a command. Help and parsing are derived from it. Its name is in the list of commands,
 * which does not load it.
 */
export const command = <const O extends Options>(declaration: Declaration<O>): Command =>
  declaration as unknown as Command

/** An option of a command, for parsing, help and types. */
export type Option =
  | { readonly type: 'flag'; readonly doc: string }
  | {
      readonly type: 'optional' | 'needed' | 'repeated'
      /** The name of the value in the help: `<file>` */
      readonly placeholder: string
      readonly doc: string
    }

export type Options = Readonly<Record<string, Option>>

type ValueByType = {
  flag: boolean
  optional: string | undefined
  needed: string
  repeated: readonly string[]
}

type ValuesOf<O extends Options> = {
  readonly [Name in keyof O]: ValueByType[O[Name]['type']]
}

/** Options of all commands. */
export const commonOptions = {
  json: { type: 'flag', doc: 'Print the result as JSON' },
  help: { type: 'flag', doc: 'Show this help' },
} as const satisfies Options

/** `--config <file>` */
export const spelling = (name: string, option: Option): string =>
  option.type === 'flag' ? `--${name}` : `--${name} ${option.placeholder}`
