import { isLoopback } from '../hosts.ts'
import { alternatives, type Kind, kind, MASK, textual } from './kind.ts'

const FLAGS = new Map([
  ...['true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off'].map((word) => [word, false] as const),
])

export const flag = kind('true or false', (input) =>
  isScalar(input) ? FLAGS.get(String(input).trim().toLowerCase()) : undefined,
)

/** Not trimmed: a key or a password may begin or end with a space. */
export const text = kind('text', (input) =>
  typeof input === 'string' && input.trim() !== '' ? input : undefined,
)

export const integer = (from: number, to: number): Kind<number> =>
  kind(`a whole number from ${from} to ${to}`, (input) => {
    const number = toNumber(input)
    if (number === undefined || !Number.isInteger(number)) return undefined
    return number >= from && number <= to ? number : undefined
  })

export const positiveNumber = (to: number): Kind<number> =>
  kind(`a number above 0, at most ${to}`, (input) => {
    const number = toNumber(input)
    return number !== undefined && number > 0 && number <= to ? number : undefined
  })

/** One of a few words, in upper or lower case. `aliases` are other spellings of them. */
export function choice<const Word extends string, Alias extends string = never>(
  words: readonly Word[],
  aliases?: Readonly<Record<Alias, NoInfer<Word>>>,
): Kind<Word, Word | NoInfer<Alias>> {
  const known = new Map<string, Word>([
    ...words.map((word) => [word, word] as const),
    ...Object.entries<Word>(aliases ?? {}),
  ])
  const spellings = new Map([...known].map(([spelling, word]) => [spelling.toLowerCase(), word]))
  return textual(alternatives(words), (input) => spellings.get(input.toLowerCase()))
}

/** Text that matches a pattern. */
export const matching = (expected: string, pattern: RegExp): Kind<string> =>
  textual(expected, (input) => (pattern.test(input) ? input : undefined))

/** A plain decimal number. Unlike `Number()`, it refuses blanks, `0x10` and `1e3`. */
export function toNumber(input: unknown): number | undefined {
  if (typeof input === 'number') return Number.isFinite(input) ? input : undefined
  if (typeof input !== 'string') return undefined
  return /^-?\d+(\.\d+)?$/.test(input.trim()) ? Number(input) : undefined
}

const isScalar = (input: unknown): input is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof input)

const ORIGIN = /^([a-z][a-z0-9+.-]*):\/\/[^\s/?#@*\\]+$/i

/**
 * An origin as a browser sends it, without path or wildcard. A slash at the end is dropped: people
 * often copy it along, and it means nothing.
 */
export const origin: Kind<string> = textual(
  'an origin, scheme://host[:port], without path or wildcard',
  toOrigin,
)

export const webOrigin: Kind<string> = textual('http(s)://host[:port], without a path', (input) =>
  /^https?:/i.test(input) ? toOrigin(input) : undefined,
)

function toOrigin(input: string): string | undefined {
  const bare = input.replace(/\/$/, '')
  if (!ORIGIN.test(bare) || !URL.canParse(bare)) return undefined
  const { origin } = new URL(bare)
  // For schemes of apps (`capacitor://localhost`) `URL` reports the origin `null`, but web views
  // send the scheme and host. So the text itself is kept.
  return origin === 'null' ? bare.toLowerCase() : origin
}

/**
 * An address that secrets may be sent to. It is kept as written: `URL` would encode a placeholder
 * in it.
 */
export const secureUrl: Kind<string> = textual(
  'an https:// address (http:// for this machine only)',
  (input) => {
    if (!URL.canParse(input)) return undefined
    const { protocol, hostname, username, password, hash } = new URL(input)
    const isSecure = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
    return isSecure && !username && !password && !hash ? input : undefined
  },
)

/** A link that contains every placeholder as `{name}`. */
export function linkTemplate(...placeholders: readonly string[]): Kind<string> {
  const marks = placeholders.map((name) => `{${name}}`)
  return textual(`an absolute URL that contains ${marks.join(' and ')}`, (input) => {
    if (!/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(input)) return undefined
    return marks.every((mark) => input.includes(mark)) ? input : undefined
  })
}

/**
 * Removes the password from a connection URL, in every place where a driver would look for one.
 * A user name can be an e-mail address, so the `@` before the host is the last one.
 */
export const withoutPassword = (url: string): string =>
  url
    .replace(/^([a-z][a-z0-9+.-]*:\/\/(?!\/)[^:]*:).*@/is, `$1${MASK}@`)
    .replace(/([?&][^=&]*pass[^=&]*=)[^&]*/gi, `$1${MASK}`)
