import type { FastifyRequest } from 'fastify'
import { HOST_MAX } from '../kernel/lengths.ts'
import { problem } from '../kernel/problems.ts'
import type { Settings } from '../settings/settings.ts'
import type { RequestHead } from './request.ts'

export type Origins = ReturnType<typeof createOrigins>

/**
 * Decides which pages may send requests with a visitor's cookies. With `isStrict`, only those of
 * `PUBLIC_URL`: the admin API accepts no page just because it has the name of the request, which
 * another site could have pointed at this machine.
 */
export function createOrigins(settings: Settings, { isStrict = false } = {}) {
  const trusted = new Set([
    new URL(settings.PUBLIC_URL).origin,
    ...settings.CORS_ALLOWED_ORIGINS,
    ...settings.CSRF_TRUSTED_ORIGINS,
  ])
  const trustsProxy = settings.REST_FRAMEWORK.NUM_PROXIES > 0

  const isTrusted = (origin: string, request: RequestHead) =>
    trusted.has(origin) || (!isStrict && origin === ownOrigin(request))

  /**
   * The origin that the request was sent to. A forwarded scheme is accepted only from a trusted
   * proxy.
   */
  function ownOrigin({ raw, headers }: RequestHead): string | null {
    const host = hostOf(headers)
    if (!host || host.length > AUTHORITY_MAX) return null
    const forwarded = trustsProxy ? headers['x-forwarded-proto'] : undefined
    const isHttps = forwarded === 'https' || 'encrypted' in raw.socket
    return `${isHttps ? 'https' : 'http'}://${host}`
  }

  return {
    /**
     * Where `?next=` leads after a login: to our own site or a listed one. It is parsed as browsers
     * parse it: `//evil.example` and `/\\evil.example` are other sites, and `javascript:` is not a
     * site.
     */
    nextOf(request: FastifyRequest): string | null {
      const { next } = request.query as Record<string, unknown>
      if (typeof next !== 'string' || next.length > NEXT_MAX) return null
      const own = ownOrigin(request) ?? settings.PUBLIC_URL
      if (!URL.canParse(next, own)) return null
      const { origin, protocol, pathname, search, hash, href } = new URL(next, own)
      // Drops the origin, because a proxy may have changed it. The path must not look like an
      // origin.
      if (origin === new URL(own).origin) {
        return pathname.startsWith('//') ? null : `${pathname}${search}${hash}`
      }
      const isWeb = protocol === 'https:' || protocol === 'http:'
      return isWeb && trusted.has(origin) ? href : null
    },

    /** A request without Origin and Referer does not come from a page, so it passes. */
    refuseForeign(request: RequestHead): void {
      const { origin = originOf(request.headers.referer) } = request.headers
      if (origin === undefined || isTrusted(origin, request)) return
      throw problem('csrf_foreign_origin', { origin })
    },
  }
}

/** The name and port that the request was sent to. Over HTTP/2 it may come without a `Host`. */
export function hostOf(headers: RequestHead['headers']): string {
  return headers.host ?? String(headers[':authority'] ?? '')
}

const NEXT_MAX = 2048

const AUTHORITY_MAX = HOST_MAX + ':65535'.length

/** Scheme, host and port only. */
const BEGINNING = /^https?:\/\/([^/?#\\]+)/i

/** Browsers send the text `null` for pages without an origin. It is never trusted. */
function originOf(referer: string | undefined): string | undefined {
  if (!referer) return undefined
  const [beginning = '', authority = ''] = BEGINNING.exec(referer) ?? []
  if (authority.length > AUTHORITY_MAX || !URL.canParse(beginning)) return 'null'
  return new URL(beginning).origin
}
