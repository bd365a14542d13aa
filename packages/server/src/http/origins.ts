import type { FastifyRequest } from 'fastify'
import { problem } from '../kernel/problems.ts'
import type { Settings } from '../settings/settings.ts'

export type Origins = ReturnType<typeof createOrigins>

/** Knows which pages may send requests with a visitor's cookies. */
export function createOrigins(settings: Settings) {
  const trusted = new Set([
    new URL(settings.PUBLIC_URL).origin,
    ...settings.CORS_ALLOWED_ORIGINS,
    ...settings.CSRF_TRUSTED_ORIGINS,
  ])
  const trustsProxy = settings.REST_FRAMEWORK.NUM_PROXIES > 0

  const isTrusted = (origin: string, request: FastifyRequest) =>
    trusted.has(origin) || origin === ownOrigin(request)

  /** The origin of the request itself. A forwarded scheme counts only from a trusted proxy. */
  function ownOrigin({ raw, headers }: FastifyRequest): string | null {
    if (!headers.host) return null
    const forwarded = trustsProxy ? headers['x-forwarded-proto'] : undefined
    const isHttps = forwarded === 'https' || 'encrypted' in raw.socket
    return `${isHttps ? 'https' : 'http'}://${headers.host}`
  }

  return {
    /** A request without Origin and Referer does not come from a page, so it passes. */
    refuseForeign(request: FastifyRequest): void {
      const { origin = originOf(request.headers.referer) } = request.headers
      if (origin === undefined || isTrusted(origin, request)) return
      throw problem('csrf_foreign_origin', { origin })
    },
  }
}

/** Scheme, host and port only. Parsing a host takes quadratic time, so its length is bounded. */
const BEGINNING = /^https?:\/\/[^/?#\\]{1,262}(?![^/?#\\])/i

/** Browsers send the text `null` for pages without an origin. It is never trusted. */
function originOf(referer: string | undefined): string | undefined {
  if (!referer) return undefined
  const [beginning = ''] = BEGINNING.exec(referer) ?? []
  return URL.canParse(beginning) ? new URL(beginning).origin : 'null'
}
