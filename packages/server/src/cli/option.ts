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

export type ValuesOf<O extends Options> = {
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
