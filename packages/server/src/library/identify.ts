import type { Service } from '../compose-service.ts'
import {
  type Identity,
  impersonationIn,
  type KeyScope,
  NEVER_HERE,
  scopesIn,
} from '../core/identity.ts'
import { answerOperator } from '../features/users/answer-user.ts'
import type { Demands } from '../http/authenticate.ts'
import type { AfterBody } from '../http/csrf.ts'
import { asRefusal } from '../http/error-handler.ts'
import { createIsFresh } from '../http/freshness.ts'
import { nullIfRefused, problem } from '../kernel/problems.ts'
import type { AuthUser, HostRequest } from './auth.ts'
import { askedBy } from './host-request.ts'

/** The host learns about the restriction, and decides what it allows. */
const TOLD = ['impersonation', 'api_key'] as const

/** Authenticates requests to routes of the host, exactly as our own endpoints do. */
export function createIdentify(service: Service) {
  const isFresh = createIsFresh(service)
  const { asHookUser } = service.services

  return {
    /** Returns null if the request has no valid credential. */
    async ifSignedIn(request: HostRequest): Promise<AuthUser | null> {
      const identity = await find(request, { access: 'if-signed-in', restricted: TOLD }).catch(
        nullIfRefused,
      )
      return identity && asAuthUser(identity)
    },

    /** Refuses everybody else, in the words of our endpoints. */
    async signedIn(
      request: HostRequest,
      { mustBeFresh = false, scope }: { mustBeFresh?: boolean; scope?: KeyScope } = {},
    ): Promise<AuthUser> {
      // A route that names no scope may not know that keys have some.
      const restricted = mustBeFresh
        ? 'refused'
        : (['impersonation', ...(scope ? [scope] : [])] as const)
      const identity = await find(request, { access: 'signed-in', restricted })
      if (!identity) throw problem('not_authenticated')
      const user = asAuthUser(identity)
      if (mustBeFresh && !user.login.isFresh) throw problem('reauthentication_required')
      return user
    },
  }

  /**
   * Turns an outage into a refusal with 503, so that a host without an error handler still answers
   * well.
   */
  async function find(request: HostRequest, demands: Demands): Promise<Identity | null> {
    const { asking, body } = askedBy(request)
    const afterBody: AfterBody = (check) => check(body)
    try {
      return await service.authenticate(asking, demands, afterBody)
    } catch (error) {
      const refusal = asRefusal(error)
      if (refusal?.status === 503) service.log.warn({ err: error }, 'unavailable')
      throw refusal ?? error
    }
  }

  function asAuthUser(identity: Identity): AuthUser {
    const { user, via, loginId, authenticatedAt, expiresAt, claims } = identity
    const [impersonation, scopes] = [impersonationIn(identity), scopesIn(identity)]
    return {
      ...asHookUser(user),
      login: {
        via,
        id: loginId === null ? null : String(loginId),
        authenticatedAt: authenticatedAt === NEVER_HERE ? null : new Date(authenticatedAt),
        isFresh: isFresh(identity),
        expiresAt: expiresAt === null ? null : new Date(expiresAt),
        // They are cached with the token, so the host gets a copy.
        claims: claims ? structuredClone(claims) : null,
        impersonatedBy: impersonation ? answerOperator(impersonation) : null,
        scopes: scopes ? [...scopes] : null,
      },
    }
  }
}
