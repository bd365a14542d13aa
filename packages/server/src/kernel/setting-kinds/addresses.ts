import { type Kind, MASK, textual } from './kind.ts'

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

/** A link that contains every placeholder as `{name}`. */
export function linkTemplate(...placeholders: readonly string[]): Kind<string> {
  const marks = placeholders.map((name) => `{${name}}`)
  return textual(`an absolute URL that contains ${marks.join(' and ')}`, (input) => {
    if (!/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(input)) return undefined
    return marks.every((mark) => input.includes(mark)) ? input : undefined
  })
}

/** Removes the password from a connection URL, in every place where a driver would look for one. */
export const withoutPassword = (url: string): string =>
  url
    .replace(/^([a-z]+:\/\/[^:/@]*:).*@/i, `$1${MASK}@`)
    .replace(/([?&][^=&]*pass[^=&]*=)[^&]*/gi, `$1${MASK}`)
