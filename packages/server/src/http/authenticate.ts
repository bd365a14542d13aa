import type { Identity } from '../core/identity.ts'
import { Problem, problem } from '../kernel/problems.ts'
import type { AuthenticationClass } from '../settings/authentication-classes.ts'
import type { Asking } from './asking.ts'
import type { AfterBody, Csrf } from './csrf.ts'
import type { Access } from './endpoint.ts'
import type { Origins } from './origins.ts'

/** One kind of credential. A feature adds its own. */
export type Authenticator = {
  name: AuthenticationClass
  /** The words for it in the `Authorization` header, in lower case. */
  schemes?: readonly string[]
  /** Throws if the credential is not valid. */
  fromHeader?(credentials: string): Promise<Identity>
  /**
   * Null if there is no cookie. A stale cookie gives null or, where the contract says so, a
   * refusal.
   */
  fromCookie?(asking: Asking): Promise<Identity | null>
  /** Whether unsafe requests with this cookie also need a CSRF token. */
  cookieNeedsCsrf?: boolean
}

/**
 * Returns null without a promise if no credential is looked at, so that such a request does not
 * wait. Refusals that need no lookup are thrown at once, not as a rejection. Without `afterBody`
 * nothing is left to check later: a CSRF token then counts in the header only.
 */
export type Authenticate = (
  asking: Asking,
  access: Access,
  afterBody?: AfterBody,
) => Promise<Identity | null> | null

type Needs = {
  authenticators: readonly Authenticator[]
  /** Only these count. They are asked in this order. */
  classes: readonly AuthenticationClass[]
  /**
   * Whether the deployment has set the order. If so, a session is asked in its turn, whatever the
   * `Authorization` header says. If not, a header of any kind keeps cookies from counting.
   */
  isOrdered: boolean
  csrf: Csrf
  origins: Origins
  /** Whether a login sets a cookie. */
  loginSetsCookies: boolean
  /** Whether anonymous requests must also send a CSRF token. */
  enforcesCsrf: boolean
}

type StaleCookies = 'refused' | 'ignored'

export function createAuthenticate(needs: Needs): Authenticate {
  const { csrf, origins, loginSetsCookies, enforcesCsrf, isOrdered } = needs
  const authenticators = needs.classes.flatMap((name) =>
    needs.authenticators.filter((a) => a.name === name),
  )

  return (asking, access, afterBody) => {
    // A form without scripts cannot send the header. It needs none: whoever knows the link needs no
    // victim.
    const isAsked = enforcesCsrf && access !== 'by-link'
    if (isAsked && !bringsAuthorization(asking)) csrf.checkPair(asking, afterBody)
    switch (access) {
      case 'public':
        return null
      case 'by-link':
        return asking.headers.cookie === undefined ? null : visitor(asking)
      case 'opens-session':
        if (loginSetsCookies) origins.refuseForeign(asking)
        return null
      case 'anyone':
        return identify(asking, 'ignored').catch(ignoreRefusal)
      case 'if-signed-in':
        return identify(asking, 'ignored', afterBody)
      case 'signed-in':
        return identify(asking, 'refused', afterBody).then(refuseNobody)
    }
  }

  /** The first method that finds a credential decides, even if the credential is bad. */
  async function identify(
    asking: Asking,
    stale: StaleCookies,
    afterBody?: AfterBody,
  ): Promise<Identity | null> {
    const header = headerIn(asking)
    for (const method of authenticators) {
      const { schemes = [], fromHeader } = method
      // A scheme that is switched off is ignored.
      if (header && fromHeader && schemes.includes(header.scheme)) {
        return fromHeader(header.credentials)
      }
      // A method that also reads the header reads its cookie only without one.
      if (header && !(isOrdered && schemes.length === 0)) continue
      const identity = await fromCookie(method, asking, stale, afterBody)
      if (identity) return identity
    }
    return null
  }

  /** Whose browser it is. Without a CSRF token this says only what a page may offer next. */
  async function visitor(asking: Asking): Promise<Identity | null> {
    for (const method of authenticators) {
      const identity = await method.fromCookie?.(asking).catch(ignoreRefusal)
      if (identity) return identity
    }
    return null
  }

  async function fromCookie(
    { fromCookie, cookieNeedsCsrf }: Authenticator,
    asking: Asking,
    stale: StaleCookies,
    afterBody?: AfterBody,
  ): Promise<Identity | null> {
    const found = fromCookie?.(asking)
    const identity = await (stale === 'ignored' ? found?.catch(ignoreRefusal) : found)
    if (!identity) return null
    if (cookieNeedsCsrf) csrf.check(asking, identity.loginId, afterBody)
    else csrf.checkOrigin(asking)
    return identity
  }
}

/** An empty header is none: some clients send it before anybody has logged in. */
function headerIn({ headers }: Asking): { scheme: string; credentials: string } | null {
  const text = (headers.authorization ?? '').trim()
  if (text === '') return null
  const space = text.indexOf(' ')
  const scheme = (space < 0 ? text : text.slice(0, space)).toLowerCase()
  return { scheme, credentials: space < 0 ? '' : text.slice(space).trim() }
}

export const bringsAuthorization = (asking: Asking): boolean => headerIn(asking) !== null

function refuseNobody(identity: Identity | null): Identity {
  if (!identity) throw problem('not_authenticated')
  return identity
}

/** Nobody is asking whom we believe. An outage is no answer to that. */
export function ignoreRefusal(error: unknown): null {
  if (error instanceof Problem && error.status < 500) return null
  throw error
}
