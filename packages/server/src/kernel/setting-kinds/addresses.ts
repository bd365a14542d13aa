import { type Kind, MASK, textual } from './kind.ts'

const ORIGIN = /^([a-z][a-z0-9+.-]*):\/\/[^\s/?#@*\\]+$/i

/**
 * An origin in the spelling a browser would send. Exact: neither a path nor a wildcard. A slash at
 * the end is dropped, since it is copied along so easily and means nothing.
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
  // Schemes of apps (`capacitor://localhost`) are opaque to URL, not to the web view that sends them.
  return origin === 'null' ? bare.toLowerCase() : origin
}

/** A link in which every one of the placeholders stands as `{name}`. */
export function linkTemplate(...placeholders: readonly string[]): Kind<string> {
  const marks = placeholders.map((name) => `{${name}}`)
  return textual(`an absolute URL that contains ${marks.join(' and ')}`, (input) => {
    if (!/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(input)) return undefined
    return marks.every((mark) => input.includes(mark)) ? input : undefined
  })
}

/** Hides the password of a connection URL, wherever in it drivers would look for one. */
export const withoutPassword = (url: string): string =>
  url
    .replace(/^([a-z]+:\/\/[^:/@]*:).*@/i, `$1${MASK}@`)
    .replace(/([?&][^=&]*pass[^=&]*=)[^&]*/gi, `$1${MASK}`)
