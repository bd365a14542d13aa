import type { FastifyRequest } from 'fastify'
import { problem } from '../kernel/problems.ts'
import type { Settings } from '../settings/settings.ts'

export type Origins = ReturnType<typeof createOrigins>

/** Which pages may act with a visitor's cookies. */
export function createOrigins(settings: Settings) {
  const trusted = new Set([
    new URL(settings.PUBLIC_URL).origin,
    ...settings.CORS_ALLOWED_ORIGINS,
    ...settings.CSRF_TRUSTED_ORIGINS,
  ])
  const trustsProxy = settings.REST_FRAMEWORK.NUM_PROXIES > 0

  const isTrusted = (origin: string, request: FastifyRequest) =>
    trusted.has(origin) || origin === ownOrigin(request)

  /** As the request itself has it; a forwarded scheme counts only from a trusted proxy. */
  function ownOrigin({ raw, headers }: FastifyRequest): string | null {
    if (!headers.host) return null
    const forwarded = trustsProxy ? headers['x-forwarded-proto'] : undefined
    const isHttps = forwarded === 'https' || 'encrypted' in raw.socket
    return `${isHttps ? 'https' : 'http'}://${headers.host}`
  }

  return {
    /** A request without Origin and Referer does not come from a page. */
    refuseForeign(request: FastifyRequest): void {
      const { origin = originOf(request.headers.referer) } = request.headers
      if (origin === undefined || isTrusted(origin, request)) return
      throw problem('csrf_foreign_origin', { origin })
    },
  }
}

/** Scheme, host and port, and no more: reading a host takes quadratic time in its length. */
const BEGINNING = /^https?:\/\/[^/?#\\]{1,262}(?![^/?#\\])/i

/** Null as text is what browsers send for pages without an origin, and what nobody trusts. */
function originOf(referer: string | undefined): string | undefined {
  if (!referer) return undefined
  const [beginning = ''] = BEGINNING.exec(referer) ?? []
  return URL.canParse(beginning) ? new URL(beginning).origin : 'null'
}
