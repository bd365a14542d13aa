/** Why an input was refused. `path` leads to the wrong value inside a record. */
export type WrongValue = {
  readonly path: readonly string[]
  readonly got: unknown
  readonly expected: string
}

export type Parsed<T> = { readonly value: T } | { readonly mistakes: readonly WrongValue[] }

/**
 * A kind of value that a setting can have. `Input` is what a program may pass for it. Further
 * forms, such as the text `5` for a number, are for the environment and the command line.
 */
export type Kind<T, Input = T> = {
  /** Never present. It only carries the type `Input`. */
  readonly input?: Input
  /** Completes the sentence "expected …". */
  readonly expected: string
  /** True if messages must not quote an input of this kind. */
  readonly secret: boolean
  /** True if values of this kind can also be given key by key. */
  readonly record: boolean
  /** Accepts JSON (from a file) and text (from the environment or the command line). */
  parse(input: unknown): Parsed<T>
  /** Text that `parse` accepts again. A secret is masked, so the text is always safe to print. */
  show(value: T): string
}

/** The values of a kind. */
export type ReadBy<K> = K extends Kind<infer T, unknown> ? T : never

/** What a program may pass for them. */
export type WrittenFor<K> = K extends Kind<unknown, infer Input> ? Input : never

/** Printed in place of a secret. */
export const MASK = '********'

/** A kind that accepts or refuses an input as a whole. `read` returns `undefined` to refuse. */
export function kind<T, Input = T>(
  expected: string,
  read: (input: unknown) => T | undefined,
  show: (value: T) => string = String,
): Kind<T, Input> {
  return {
    expected,
    secret: false,
    record: false,
    show,
    parse(input) {
      const value = read(input)
      return value === undefined ? wrongValue(input, expected) : { value }
    },
  }
}

/** A kind that accepts certain texts. `read` gets the text trimmed. */
export function textual<T, Input = T>(
  expected: string,
  read: (text: string) => T | undefined,
  show?: (value: T) => string,
): Kind<T, Input> {
  return kind(
    expected,
    (input) => (typeof input === 'string' ? read(input.trim()) : undefined),
    show,
  )
}

/** The value of the input, or `undefined` if the kind refuses it. */
export function read<T>(kind: Kind<T, unknown>, input: unknown): T | undefined {
  const parsed = kind.parse(input)
  return 'value' in parsed ? parsed.value : undefined
}

export const wrongValue = (
  got: unknown,
  expected: string,
  ...path: readonly string[]
): Parsed<never> => ({ mistakes: [{ path, got, expected }] })

/** Puts `key` in front of the paths of all mistakes. */
export const inside = <T>(key: string, parsed: Parsed<T>): Parsed<T> =>
  'value' in parsed
    ? parsed
    : { mistakes: parsed.mistakes.map((one) => ({ ...one, path: [key, ...one.path] })) }

/** All values, or all mistakes. */
export function collect<T>(parsed: readonly Parsed<T>[]): Parsed<readonly T[]> {
  const mistakes = parsed.flatMap((one) => ('mistakes' in one ? one.mistakes : []))
  if (mistakes.length > 0) return { mistakes }
  return { value: parsed.flatMap((one) => ('value' in one ? [one.value] : [])) }
}

/** `['a', 'b', 'c']` as `a, b or c`. */
export function alternatives(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}
