import type { Identity } from '../core/identity.ts'
import { Problem, problem } from '../kernel/problems.ts'
import type { Settings } from '../settings/settings.ts'
import type { Asking } from './asking.ts'
import type { AfterBody, Csrf } from './csrf.ts'
import type { Access } from './endpoint.ts'
import type { Origins } from './origins.ts'

type Classes = Settings['REST_FRAMEWORK']['DEFAULT_AUTHENTICATION_CLASSES']

/** One kind of credential. A feature adds its own. */
export type Authenticator = {
  name: Classes[number]
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
  /** Only these count. If there are two cookies, the first kind in this order counts. */
  classes: Classes
  csrf: Csrf
  origins: Origins
  /** Whether a login sets a cookie. */
  loginSetsCookies: boolean
  /** Whether anonymous requests must also send a CSRF token. */
  enforcesCsrf: boolean
}

type StaleCookies = 'refused' | 'ignored'

export function createAuthenticate(needs: Needs): Authenticate {
  const { csrf, origins, loginSetsCookies, enforcesCsrf } = needs
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
      case 'by-link':
        return null
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

  async function identify(
    asking: Asking,
    stale: StaleCookies,
    afterBody?: AfterBody,
  ): Promise<Identity | null> {
    const { authorization = '' } = asking.headers
    return bringsAuthorization(asking)
      ? fromHeader(authorization)
      : fromCookies(asking, stale, afterBody)
  }

  /** A scheme that is switched off is ignored. */
  async function fromHeader(header: string): Promise<Identity | null> {
    const text = header.trim()
    const space = text.indexOf(' ')
    const scheme = (space < 0 ? text : text.slice(0, space)).toLowerCase()
    const credentials = space < 0 ? '' : text.slice(space).trim()
    const method = authenticators.find((a) => a.schemes?.includes(scheme))
    return (await method?.fromHeader?.(credentials)) ?? null
  }

  async function fromCookies(asking: Asking, stale: StaleCookies, afterBody?: AfterBody) {
    for (const { fromCookie, cookieNeedsCsrf } of authenticators) {
      const found = fromCookie?.(asking)
      const identity = await (stale === 'ignored' ? found?.catch(ignoreRefusal) : found)
      if (!identity) continue
      if (cookieNeedsCsrf) csrf.check(asking, identity.loginId, afterBody)
      else csrf.checkOrigin(asking)
      return identity
    }
    return null
  }
}

/** An empty header is none: some clients send it before anybody has logged in. */
export const bringsAuthorization = ({ headers }: Asking): boolean =>
  (headers.authorization ?? '').trim() !== ''

function refuseNobody(identity: Identity | null): Identity {
  if (!identity) throw problem('not_authenticated')
  return identity
}

/** Nobody is asking whom we believe. An outage is no answer to that. */
export function ignoreRefusal(error: unknown): null {
  if (error instanceof Problem && error.status < 500) return null
  throw error
}
