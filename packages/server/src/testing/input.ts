import { isObject } from '../kernel/json-object.ts'
import { type Kind, read } from '../kernel/setting-kinds/kind.ts'
import { flag, integer } from '../kernel/setting-kinds/scalars.ts'
import { duration } from '../kernel/setting-kinds/times.ts'
import { nearest } from '../kernel/texts.ts'
import { TestRefusal } from './refusal.ts'

/** The values of a body or a query, which has no other names. */
export type Given<Name extends string> = Partial<Record<Name, unknown>>

/** Reads an object. An unknown name is refused, since it is probably a typo in the test. */
export function readObject<const Name extends string>(
  input: unknown,
  known: readonly Name[],
  what = 'the body',
): Given<Name> {
  if (!isObject(input)) {
    throw new TestRefusal(
      `Expected ${what} to be an object, not ${Array.isArray(input) ? 'a list' : String(input).slice(0, 40)}.`,
    )
  }
  for (const name of Object.keys(input)) {
    if (known.some((one) => one === name)) continue
    const meant = nearest(name, known)
    const hint = meant ? `Did you mean "${meant}"?` : `Expected ${known.join(', ')}.`
    throw new TestRefusal(`"${name.slice(0, 40)}" is not known in ${what}. ${hint}`)
  }
  return input as Given<Name>
}

/** A body whose names exclude each other, such as `advance` and `set`. Returns the one that is there. */
export function onlyOne<Name extends string>(given: Given<Name>, names: readonly Name[]): Name {
  const there = names.filter((name) => given[name] !== undefined)
  const [one, ...others] = there
  if (one && others.length === 0) return one
  throw new TestRefusal(
    `Expected one of ${names.join(', ')}${there.length > 0 ? `, not ${there.join(' and ')}` : ''}.`,
  )
}

/** Reads a value by its kind, as settings are read. */
function readAs<T>(kind: Kind<T, unknown>, input: unknown, name: string): T {
  const value = read(kind, input)
  if (value === undefined) throw new TestRefusal(`${name}: expected ${kind.expected}.`)
  return value
}

/** In milliseconds. */
export const readDuration = (input: unknown, name: string, most?: number): number =>
  readAs(duration({ least: 0, ...(most && { most }) }), input, name)

export const readFlag = (input: unknown, name: string): boolean => readAs(flag, input, name)

const TEXT_MAX = 1000

export function readText(input: unknown, name: string): string {
  if (typeof input === 'string' && input !== '' && input.length <= TEXT_MAX) return input
  throw new TestRefusal(`${name}: expected a text of 1 to ${TEXT_MAX} characters.`)
}

export function readChoice<const C extends string>(
  input: unknown,
  name: string,
  choices: readonly C[],
): C {
  const found = choices.find((one) => one === input)
  if (found === undefined) throw new TestRefusal(`${name}: expected ${choices.join(', ')}.`)
  return found
}

export const readInteger = (input: unknown, name: string, from: number, to: number): number =>
  readAs(integer(from, to), input, name)

const EARLIEST = Date.UTC(2000, 0)
const LATEST = Date.UTC(2200, 0)

/** A point in time, in milliseconds. */
export function readTime(input: unknown, name: string): number {
  const at = typeof input === 'string' && /^\d{4}-\d\d/.test(input) ? Date.parse(input) : Number.NaN
  return within(at, name)
}

/** Far from today, certificates, databases and dates of mails no longer make sense. */
export function within(at: number, name: string): number {
  if (at >= EARLIEST && at <= LATEST) return at
  throw new TestRefusal(
    `${name}: expected a time between 2000 and 2200 in ISO 8601, such as 2030-01-01T12:00:00Z.`,
  )
}
