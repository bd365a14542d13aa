import { choice, matching } from '../../kernel/setting-kinds/scalars.ts'

/** A token of RFC 6265. Anything else would break the cookie header. */
export const cookieName = matching(
  'a cookie name (letters, digits, - _ and the like)',
  /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/,
)

export const cookieDomain = matching(
  'a domain name such as example.com',
  /^\.?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i,
)

export const cookiePath = matching('a path that begins with /', /^\/[^;\s]*$/)

export const sameSite = choice(['Lax', 'Strict', 'None'])
