import { messageOf } from './log.ts'
import { type Fault, fault } from './problems.ts'

/** Characters that no text may contain: databases and mails cannot hold them. */
export function charactersOf(value: string): Fault[] {
  const faults = value.includes('\0') ? [fault('null_characters')] : []
  if (value.isWellFormed()) return faults
  const lone = /\p{Surrogate}/u.exec(value)?.[0].charCodeAt(0) ?? 0
  return [...faults, fault('surrogate_characters', { codePoint: lone.toString(16).toUpperCase() })]
}

/**
 * Counts code points, as people count characters, but only if the length in units leaves it open.
 */
export function isLonger(value: string, max: number): boolean {
  if (value.length <= max) return false
  return value.length > 2 * max || [...value].length > max
}

/** A value that was sent, or what is wrong with it. */
export type Read<T> = { value: T } | { faults: Fault[] }

export type TextRules = {
  /** In characters of the text as sent. */
  max: number
  /** The fault for a text that is too long, if the field words it differently. */
  tooLong?: Fault
  /** False for passwords, keys and tokens: they are taken exactly as sent. */
  trim?: boolean
  mayBeBlank?: boolean
  /** Runs before the checks, so that the stored form is checked and its length counted again. */
  normalize?: (text: string) => string
  check?: (text: string) => Fault[]
}

export function readText(input: unknown, rules: TextRules): Read<string> {
  const { max, tooLong = fault('too_long', { max }), trim = true, normalize, check } = rules
  if (typeof input !== 'string') return { faults: [fault('not_a_string')] }
  // A text that is too long gets no other check, because that would cost more than sending it.
  if (isLonger(input, max)) return { faults: [tooLong] }
  const bare = trim ? input.trim() : input
  const value = normalize?.(bare) ?? bare
  if (value === '') return rules.mayBeBlank ? { value } : { faults: [fault('blank')] }
  const faults = [
    ...charactersOf(value),
    ...(isLonger(value, max) ? [tooLong] : []),
    ...(check?.(value) ?? []),
  ]
  return faults.length > 0 ? { faults } : { value }
}

/** `1 key`, or `3 keys`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** The Python name of the type, since dj-rest-auth uses it in its messages. */
export function nameOfType(value: unknown): string {
  if (value === null) return 'NoneType'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  return typeof value === 'object' ? 'dict' : 'str'
}

/**
 * Control and format characters, line separators and halves of surrogate pairs. They can move the
 * cursor, recolour a terminal, reverse the order of a line, or stay invisible.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/**
 * The text with each of these characters spelled out as `\u001b`. In a JSON string this spelling
 * means the character itself, so programs still read the original text.
 */
export const visible = (text: string): string => text.replace(UNSEEN, spelledOut)

/** The same for a text of several lines: its line breaks stay. */
export const visibleLines = (text: string): string =>
  text.replace(UNSEEN, (character) => (character === '\n' ? character : spelledOut(character)))

/** For data: format characters, such as the joiners of Persian, are part of it, and move no cursor. */
export const visibleControls = (text: string): string => text.replace(/[^\P{Cc}\t\n]/gu, spelledOut)

const spelledOut = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** The text without these characters, cut to `max` characters. */
export const plainLine = (text: string, max: number): string =>
  [...text.replace(UNSEEN, '').trim()].slice(0, max).join('')

/** The candidate that `name` probably means, if they differ only by a typing error. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const tolerance = Math.min(3, Math.floor(name.length / 4))
  const near = candidates
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ distance }) => distance <= tolerance)
    .sort((a, b) => a.distance - b.distance)
  return near[0]?.candidate
}

/** For a name that is not known: `hook: no such option; did you mean hooks?` */
export function noSuch(what: string, name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  return `${name}: no such ${what}${meant ? `; did you mean ${meant}?` : ''}`
}

/** How many letters must be added, removed or replaced to turn one word into the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** The text of an error, without a stack. */
export const firstLine = (error: unknown): string => messageOf(error).split('\n')[0] ?? ''

/** A message names this many. */
export const NAMED = 5

/** The first few names in a list, for a message. */
export const named = (names: readonly (string | number)[]): string =>
  [...names.slice(0, NAMED), ...(names.length > NAMED ? ['…'] : [])].join(', ')

/** Some editors begin a file with a byte order mark, which is not part of its text. */
export const withoutMark = (file: string): string => file.replace(/^\uFEFF/, '')
