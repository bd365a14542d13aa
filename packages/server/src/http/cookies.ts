import { parse, type SerializeOptions, serialize } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FindPlace, Place } from '../core/place.ts'
import { type Clock, SECOND } from '../kernel/clock.ts'
import { loginSetsCookies } from '../settings/authentication-classes.ts'
import type { Settings } from '../settings/settings.ts'
import type { RequestHead } from './request.ts'

/**
 * Reads, sets and clears one cookie. Clearing uses the same attributes as setting; otherwise
 * browsers keep the cookie.
 */
export type Cookie = {
  read(request: Pick<RequestHead, 'headers'>): string | undefined
  set(reply: FastifyReply, value: string): void
  clear(reply: FastifyReply): void
}

export type Cookies = ReturnType<typeof createCookies>

type Needs = {
  settings: Settings
  clock: Clock
  place: FindPlace
  /** Asked for with each answer, since a host may name it later. */
  ownPath?: (() => string) | undefined
}

export function createCookies({ settings, clock, place, ownPath = () => '/' }: Needs) {
  const { REST_AUTH, SIMPLE_JWT } = settings
  const cookie = (declared: CookieDeclaration) => cookieOf(declared, clock)
  const jwtCookie = (name: string | null, ageMs: number, path: () => string) =>
    REST_AUTH.USE_JWT && name !== null
      ? cookie({
          name,
          ageMs,
          path,
          httpOnly: REST_AUTH.JWT_AUTH_HTTPONLY,
          secure: REST_AUTH.JWT_AUTH_SECURE,
          sameSite: REST_AUTH.JWT_AUTH_SAMESITE,
          domain: REST_AUTH.JWT_AUTH_COOKIE_DOMAIN,
        })
      : null

  const session = cookie({
    name: settings.SESSION_COOKIE_NAME,
    ageMs: settings.SESSION_COOKIE_AGE,
    path: ownPath,
    httpOnly: true,
    secure: settings.SESSION_COOKIE_SECURE,
    sameSite: settings.SESSION_COOKIE_SAMESITE,
    domain: settings.SESSION_COOKIE_DOMAIN,
  })

  const csrf = cookie({
    name: settings.CSRF_COOKIE_NAME,
    ageMs: settings.CSRF_COOKIE_AGE,
    path: ownPath,
    // Scripts of the front end read this cookie and send it back in a header.
    httpOnly: false,
    secure: settings.CSRF_COOKIE_SECURE,
    sameSite: settings.CSRF_COOKIE_SAMESITE,
    domain: settings.CSRF_COOKIE_DOMAIN,
  })

  const access = jwtCookie(REST_AUTH.JWT_AUTH_COOKIE, SIMPLE_JWT.ACCESS_TOKEN_LIFETIME, ownPath)
  const refresh = jwtCookie(
    REST_AUTH.JWT_AUTH_REFRESH_COOKIE,
    SIMPLE_JWT.REFRESH_TOKEN_LIFETIME,
    () => movedPath(REST_AUTH.JWT_AUTH_REFRESH_COOKIE_PATH, settings, place()),
  )

  // What no login sets belongs to another program with cookies of the same names, such as Django.
  return {
    session: REST_AUTH.SESSION_LOGIN
      ? session
      : { ...session, read: () => undefined, clear: () => {} },
    /** Null if tokens are sent only in bodies and headers. */
    access,
    refresh,
    csrf: loginSetsCookies(settings) ? csrf : { ...csrf, clear: () => {} },
  }
}

/** A path of ours follows the API to the place where a host has mounted it, unless it names that place. */
function movedPath(path: string, { AUTH_PREFIX, ROUTES }: Settings, place: Place): string {
  const whole = path.endsWith('/') ? path : `${path}/`
  const isThere = place.AUTH_PREFIX.startsWith(AUTH_PREFIX) && whole.startsWith(place.AUTH_PREFIX)
  if (isThere || place.AUTH_PREFIX.startsWith(whole)) return path
  if (whole.startsWith(AUTH_PREFIX)) {
    return `${place.AUTH_PREFIX}${path.slice(AUTH_PREFIX.length)}`
  }
  if (AUTH_PREFIX.startsWith(whole)) return place.AUTH_PREFIX
  const routes = Object.values(ROUTES).flat()
  return routes.some((to) => `${to}/`.startsWith(whole)) ? `${place.base}${path}` : path
}

export function clearJwtCookies({ access, refresh }: Cookies, reply: FastifyReply): void {
  access?.clear(reply)
  refresh?.clear(reply)
}

/** Clears every cookie of a login. The session cookie is cleared only if there is one. */
export function clearLoginCookies(
  cookies: Cookies,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  clearJwtCookies(cookies, reply)
  if (cookies.session.read(request)) cookies.session.clear(reply)
}

/** Clears every cookie, after the user was deleted. */
export function clearEveryCookie(cookies: Cookies, reply: FastifyReply): void {
  for (const cookie of Object.values(cookies)) cookie?.clear(reply)
}

/** Whether JSON Web Tokens are sent in cookies. */
export const setsJwtCookies = ({ access, refresh }: Cookies): boolean => Boolean(access ?? refresh)

type CookieDeclaration = {
  name: string
  ageMs: number
  httpOnly: boolean
  secure: boolean
  sameSite: 'Lax' | 'Strict' | 'None'
  domain: string | null
  path(): string
}

function cookieOf(declared: CookieDeclaration, clock: Clock): Cookie {
  const { name, ageMs, httpOnly, secure, sameSite, domain, path } = declared
  const attributes: SerializeOptions = {
    httpOnly,
    secure,
    sameSite: sameSite.toLowerCase() as Lowercase<typeof sameSite>,
    ...(domain && { domain }),
  }
  const send = (reply: FastifyReply, value: string, lifetimeMs: number) => {
    const maxAge = Math.floor(lifetimeMs / SECOND)
    const expires = new Date(lifetimeMs > 0 ? clock.now() + lifetimeMs : 0)
    reply.header(
      'set-cookie',
      serialize(name, value, { ...attributes, path: path(), maxAge, expires }),
    )
  }
  return {
    read: ({ headers }) => decoded(parse(headers.cookie ?? '', AS_SENT)[name]),
    set: (reply, value) => send(reply, value, ageMs),
    clear: (reply) => send(reply, '', 0),
  }
}

/** Only our own cookies are decoded. Each failure throws, and a header has room for thousands. */
const AS_SENT = { decode: (value: string) => value }

/** A value that cannot be decoded is taken as it was sent. An empty one counts as missing. */
function decoded(value: string | undefined): string | undefined {
  if (!value?.includes('%')) return value || undefined
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
