import type { FastifyRequest } from 'fastify'
import type { Identity } from '../features/users/identity.ts'
import { Problem, problem } from '../problems.ts'
import type { Csrf } from './csrf.ts'
import type { Access } from './endpoint.ts'
import type { Origins } from './origins.ts'

/** One way to say who one is. A mode of the service adds its own; the order is theirs. */
export type Authenticator = {
  /** The word in the `Authorization` header, in lower case. */
  scheme?: string
  /** Refuses what does not check out. */
  fromHeader?(credentials: string): Promise<Identity>
  /** Null when there is no cookie, or a stale one. */
  fromCookie?(request: FastifyRequest): Promise<Identity | null>
}

export type Authenticate = (request: FastifyRequest, access: Access) => Promise<Identity | null>

type Needs = {
  authenticators: readonly Authenticator[]
  csrf: Csrf
  origins: Origins
  /** Whether a login answers with a cookie at all. */
  loginSetsCookies: boolean
}

export function createAuthenticate(needs: Needs): Authenticate {
  const { authenticators, csrf, origins, loginSetsCookies } = needs

  return async (request, access) => {
    switch (access) {
      case 'public':
        return null
      case 'opens-session':
        if (loginSetsCookies) origins.refuseForeign(request)
        return null
      case 'anyone':
        return identify(request).catch(ignoreRefusal)
      case 'if-signed-in':
        return identify(request)
      case 'signed-in': {
        const identity = await identify(request)
        if (!identity) throw problem('not_authenticated')
        return identity
      }
    }
  }

  async function identify(request: FastifyRequest): Promise<Identity | null> {
    const header = request.headers.authorization
    return header === undefined ? fromCookies(request) : fromHeader(header)
  }

  /** A scheme that is not on is no credential. */
  async function fromHeader(header: string): Promise<Identity | null> {
    const [scheme = '', ...credentials] = header.trim().split(' ')
    const method = authenticators.find((a) => a.scheme === scheme.toLowerCase())
    return (await method?.fromHeader?.(credentials.join(' ').trim())) ?? null
  }

  async function fromCookies(request: FastifyRequest): Promise<Identity | null> {
    for (const { fromCookie } of authenticators) {
      const identity = await fromCookie?.(request)
      if (!identity) continue
      csrf.check(request, identity.loginId)
      return identity
    }
    return null
  }
}

function ignoreRefusal(error: unknown): null {
  if (error instanceof Problem && error.status < 500) return null
  throw error
}
