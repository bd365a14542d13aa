import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { derivedKey } from '../crypto/derived-key.ts'
import { isEqualText } from '../crypto/equal-text.ts'
import { problem } from '../kernel/problems.ts'
import { randomToken } from '../kernel/random.ts'
import type { Cookies } from './cookies.ts'
import type { Origins } from './origins.ts'

export type Csrf = ReturnType<typeof createCsrf>

/** Whom a token was made for: one login, or any visitor. */
type Owner = number | null

/** The one in use, and former ones. */
type SecretKeys = readonly [string, ...string[]]

const NONCE_BYTES = 16
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/**
 * The double submit of a cookie and a header. The token is signed for one login, so that neither
 * a token from before the login nor one planted by a sibling domain is good for it.
 */
export function createCsrf(secretKeys: SecretKeys, cookies: Cookies, origins: Origins) {
  const [key, ...formerKeys] = secretKeys.map((secret) => derivedKey(secret, 'csrf')) as [
    Buffer,
    ...Buffer[],
  ]

  const signatureOf = (nonce: string, owner: Owner, key: Buffer) =>
    createHmac('sha256', key)
      .update(`${nonce}:${owner ?? 'anyone'}`)
      .digest('base64url')

  const make = (owner: Owner) => {
    const nonce = randomToken(NONCE_BYTES)
    return `${nonce}.${signatureOf(nonce, owner, key)}`
  }

  const isFor = (token: string, owner: Owner, keys: readonly Buffer[]) => {
    const [nonce = '', signature = ''] = token.split('.')
    return keys.some((one) => isEqualText(signature, signatureOf(nonce, owner, one)))
  }

  return {
    /** A fresh token at every login; the one before it dies with that. */
    renew(reply: FastifyReply, owner: Owner): string {
      const token = make(owner)
      cookies.csrf.set(reply, token)
      return token
    },

    /** The visitor's own token, if it is still good for him. */
    keepOrRenew(request: FastifyRequest, reply: FastifyReply, owner: Owner): string {
      const known = cookies.csrf.read(request)
      const token = known && isFor(known, owner, [key]) ? known : make(owner)
      cookies.csrf.set(reply, token)
      return token
    },

    /** For requests that a cookie authenticates. */
    check(request: FastifyRequest, owner: Owner): void {
      if (SAFE_METHODS.has(request.method)) return
      // A page that was open before a rotation of the key goes on.
      if (!isFor(pairOf(request), owner, [key, ...formerKeys]))
        throw problem('csrf_token_incorrect')
    },

    /** For requests that nobody signs, where any token that was sent twice will do. */
    checkPair(request: FastifyRequest): void {
      if (!SAFE_METHODS.has(request.method)) pairOf(request)
    },

    /** For cookies that ask for no token. */
    checkOrigin(request: FastifyRequest): void {
      if (!SAFE_METHODS.has(request.method)) origins.refuseForeign(request)
    },
  }

  /** The token that came both as a cookie and in the header, from a page that we trust. */
  function pairOf(request: FastifyRequest): string {
    origins.refuseForeign(request)
    const kept = cookies.csrf.read(request)
    if (!kept) throw problem('csrf_cookie_missing')
    const sent = request.headers['x-csrftoken']
    if (typeof sent !== 'string' || sent === '') throw problem('csrf_token_missing')
    if (!isEqualText(kept, sent)) throw problem('csrf_token_incorrect')
    return kept
  }
}
