import type { FastifyRequest } from 'fastify'
import type { Identity } from '../core/identity.ts'
import { Problem, problem } from '../kernel/problems.ts'
import type { Csrf } from './csrf.ts'
import type { Access } from './endpoint.ts'
import type { Origins } from './origins.ts'

/** If there are two cookies, the first kind in this order counts. */
const ORDER = ['token', 'jwt', 'session'] as const

/** One kind of credential. A feature adds its own. */
export type Authenticator = {
  name: (typeof ORDER)[number]
  /** The word in the `Authorization` header, in lower case. */
  scheme?: string
  /** Throws if the credential is not valid. */
  fromHeader?(credentials: string): Promise<Identity>
  /**
   * Null if there is no cookie. A stale cookie gives null or, where the contract says so, a
   * refusal.
   */
  fromCookie?(request: FastifyRequest): Promise<Identity | null>
  /** Whether unsafe requests with this cookie also need a CSRF token. */
  cookieNeedsCsrf?: boolean
}

/**
 * Returns null without a promise if no credential is looked at, so that such a request does not
 * wait. Refusals that need no lookup are thrown at once, not as a rejection.
 */
export type Authenticate = (
  request: FastifyRequest,
  access: Access,
) => Promise<Identity | null> | null

type Needs = {
  authenticators: readonly Authenticator[]
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
  const authenticators = ORDER.flatMap((name) =>
    needs.authenticators.filter((a) => a.name === name),
  )

  return (request, access) => {
    // A form without scripts cannot send the header. It needs none: whoever knows the link needs no
    // victim.
    const isAsked = enforcesCsrf && access !== 'by-link'
    if (isAsked && request.headers.authorization === undefined) csrf.checkPair(request)
    switch (access) {
      case 'public':
      case 'by-link':
        return null
      case 'opens-session':
        if (loginSetsCookies) origins.refuseForeign(request)
        return null
      case 'anyone':
        return identify(request, 'ignored').catch(ignoreRefusal)
      case 'if-signed-in':
        return identify(request, 'ignored')
      case 'signed-in':
        return identify(request, 'refused').then(refuseNobody)
    }
  }

  async function identify(request: FastifyRequest, stale: StaleCookies): Promise<Identity | null> {
    const header = request.headers.authorization
    return header === undefined ? fromCookies(request, stale) : fromHeader(header)
  }

  /** A scheme that is switched off is ignored. */
  async function fromHeader(header: string): Promise<Identity | null> {
    const text = header.trim()
    const space = text.indexOf(' ')
    const scheme = (space < 0 ? text : text.slice(0, space)).toLowerCase()
    const credentials = space < 0 ? '' : text.slice(space).trim()
    const method = authenticators.find((a) => a.scheme === scheme)
    return (await method?.fromHeader?.(credentials)) ?? null
  }

  async function fromCookies(request: FastifyRequest, stale: StaleCookies) {
    for (const { fromCookie, cookieNeedsCsrf } of authenticators) {
      const found = fromCookie?.(request)
      const identity = await (stale === 'ignored' ? found?.catch(ignoreRefusal) : found)
      if (!identity) continue
      if (cookieNeedsCsrf) csrf.check(request, identity.loginId)
      else csrf.checkOrigin(request)
      return identity
    }
    return null
  }
}

function refuseNobody(identity: Identity | null): Identity {
  if (!identity) throw problem('not_authenticated')
  return identity
}

function ignoreRefusal(error: unknown): null {
  if (error instanceof Problem && error.status < 500) return null
  throw error
}
