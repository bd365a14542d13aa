import { type Identity, type Restriction, scopesIn } from '../core/identity.ts'
import { nullIfRefused, type PlainProblemCode, problem } from '../kernel/problems.ts'
import {
  type AuthenticationClass,
  authenticationClasses,
  loginSetsCookies,
} from '../settings/authentication-classes.ts'
import type { Settings } from '../settings/settings.ts'
import type { AfterBody } from './csrf.ts'
import type { Documented, Restricted } from './endpoint.ts'
import type { RequestHead } from './request.ts'
import type { HttpTools } from './tools.ts'

/** One kind of credential. A feature adds its own. */
export type Authenticator = {
  name: AuthenticationClass
  /** How it is sent in the `Authorization` header. */
  header?: {
    /** In lower case. */
    schemes: readonly string[]
    /** How its credentials begin, if another kind has the same scheme. */
    prefix?: string
    /** Throws, at once or later, if the credential is not valid. */
    identify(credentials: string): Promise<Identity>
  }
  /**
   * Returns null if there is no cookie. A stale cookie gives null or, where the contract says so, a
   * refusal.
   */
  fromCookie?(request: RequestHead): Promise<Identity | null> | null
  /** Whether unsafe requests with this cookie also need a CSRF token. */
  cookieNeedsCsrf?: boolean
}

/** What an endpoint, or a route of a host, demands of its callers. */
export type Demands = Pick<Documented, 'access' | 'restricted'>

/**
 * Returns null instead of a promise if no credential is checked, so that such a request does not
 * wait. Refusals that need no lookup are thrown synchronously. Without `afterBody`, a CSRF token is
 * accepted only in the header.
 */
export type Authenticate<Caller = Identity> = (
  request: RequestHead,
  demands: Demands,
  afterBody?: AfterBody,
) => Promise<Caller | null> | null

type Needs = {
  settings: Pick<Settings, 'REST_AUTH' | 'REST_FRAMEWORK' | 'API_KEYS'>
  authenticators: readonly Authenticator[]
  http: Pick<HttpTools, 'csrf' | 'origins'>
}

export function createAuthenticate({ settings, http, ...needs }: Needs): Authenticate {
  const { csrf, origins } = http
  const { USE_JWT, JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED } = settings.REST_AUTH
  /** Only the classes of the settings, in their order. */
  const authenticators = authenticationClasses(settings).flatMap((name) =>
    needs.authenticators.filter((one) => one.name === name),
  )
  /**
   * Whether the deployment has set the order. If so, a session is tried in its turn, even if there
   * is an `Authorization` header. If not, any such header makes cookies irrelevant.
   */
  const isOrdered = settings.REST_FRAMEWORK.DEFAULT_AUTHENTICATION_CLASSES !== null
  const setsCookies = loginSetsCookies(settings)
  /** Whether anonymous requests must also send a CSRF token. */
  const enforcesCsrf = USE_JWT && JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED

  return (request, demands, afterBody) => {
    const { access } = demands
    // A form without scripts cannot send the header. It needs no CSRF token: the link itself is the
    // secret.
    const isAsked = enforcesCsrf && access !== 'by-link'
    if (isAsked && headerIn(request) === null) csrf.checkPair(request, afterBody)
    switch (access) {
      case 'public':
        return null
      case 'by-link':
        return visitor(request)
      case 'opens-session':
        if (setsCookies) origins.refuseForeign(request)
        return null
      case 'anyone':
        return identify(request, demands).catch(nullIfRefused)
      case 'if-signed-in':
      case 'signed-in':
        return identify(request, demands, afterBody)
    }
  }

  /** The first method that finds a credential decides, even if the credential is invalid. */
  async function identify(
    request: RequestHead,
    { access, restricted }: Demands,
    afterBody?: AfterBody,
  ): Promise<Identity | null> {
    // Only then are anonymous requests and stale cookies refused.
    const isRequired = access === 'signed-in'
    const sent = headerIn(request)
    for (const method of authenticators) {
      const { header } = method
      // A scheme that is switched off is ignored.
      if (sent && header && isFor(header, sent)) {
        return accepted(await header.identify(sent.credentials), restricted)
      }
      // A method that reads both reads its cookie only if there is no header.
      if (sent && !(isOrdered && !header)) continue
      const found = method.fromCookie?.(request)
      if (!found) continue
      const identity = await (isRequired ? found : found.catch(nullIfRefused))
      if (!identity) continue
      if (method.cookieNeedsCsrf) csrf.check(request, identity.loginId, afterBody)
      else csrf.checkOrigin(request)
      return accepted(identity, restricted)
    }
    if (isRequired) throw problem('not_authenticated')
    return null
  }

  /**
   * Finds the owner of the browser. There is no CSRF check, so it only decides what a page offers
   * next.
   */
  async function visitor(request: RequestHead): Promise<Identity | null> {
    for (const method of authenticators) {
      const identity = await method.fromCookie?.(request)?.catch(nullIfRefused)
      if (identity) return identity
    }
    return null
  }
}

type SentHeader = { scheme: string; credentials: string }

/** An empty header is ignored: some clients send one before anybody has logged in. */
export function headerIn({ headers }: RequestHead): SentHeader | null {
  const text = (headers.authorization ?? '').trim()
  if (text === '') return null
  const space = text.indexOf(' ')
  if (space < 0) return { scheme: text.toLowerCase(), credentials: '' }
  return { scheme: text.slice(0, space).toLowerCase(), credentials: text.slice(space).trim() }
}

const isFor = (
  { schemes, prefix = '' }: NonNullable<Authenticator['header']>,
  { scheme, credentials }: SentHeader,
): boolean => schemes.includes(scheme) && credentials.startsWith(prefix)

/** How each kind of restricted credential is refused. */
const RESTRICTED: Readonly<Record<Restriction['kind'], PlainProblemCode>> = {
  impersonation: 'impersonating',
  api_key: 'api_key_scope_missing',
  mfa_setup: 'mfa_setup_required',
}

/**
 * Refuses a restricted credential unless the endpoint accepts its kind, or a scope that it has. No
 * other place does.
 */
function accepted(identity: Identity, restricted: Restricted = 'refused'): Identity {
  const kind = identity.restriction?.kind
  if (kind === undefined) return identity
  const accepts: readonly string[] = restricted === 'refused' ? [] : restricted
  const scopes = scopesIn(identity) ?? []
  if (accepts.includes(kind) || scopes.some((one) => accepts.includes(one))) return identity
  throw problem(RESTRICTED[kind])
}
