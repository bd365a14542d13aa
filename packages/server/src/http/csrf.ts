import { createHmac } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { derivedKey, isEqualText } from '../crypto/digests.ts'
import { csrfSecretIn } from '../crypto/django/csrf-secret.ts'
import { isObject } from '../kernel/json-object.ts'
import { problem } from '../kernel/problems.ts'
import { randomToken } from '../kernel/random.ts'
import type { Cookies } from './cookies.ts'
import type { Origins } from './origins.ts'
import type { RequestHead } from './request.ts'

/** Registers a check that runs when the body has been read. */
export type AfterBody = (check: (body: unknown) => void) => void

/** The owner of a token: a login, an admin session, or null for any visitor. */
type Owner = number | string | null

/** The current key, then former ones. */
type SecretKeys = readonly [string, ...string[]]

const NONCE_BYTES = 16
const FORM_FIELD = 'csrfmiddlewaretoken'
const FORM_TYPES = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

type Needs = {
  secretKeys: SecretKeys
  cookies: Cookies
  origins: Origins
  /**
   * Whether to accept tokens that a Django project set before its users moved here. They are not
   * bound to a login, and are replaced at the next one.
   */
  acceptsDjango: boolean
  /** A token that was made for one purpose is void for another. */
  purpose: string
}

/**
 * CSRF protection: the same token must come in a cookie and in a header or form field. The token is
 * signed for one login. So a token from before the login, or one planted by a sibling domain, is
 * refused.
 */
export function createCsrf(needs: Needs) {
  const { secretKeys, cookies, origins, acceptsDjango, purpose } = needs
  const [key, ...formerKeys] = secretKeys.map((secret) => derivedKey(secret, purpose)) as [
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
    /** Sets a new token at every login, which voids the old one. */
    renew(reply: FastifyReply, owner: Owner): string {
      const token = make(owner)
      cookies.csrf.set(reply, token)
      return token
    },

    /** Keeps the visitor's token if it is still valid for this owner. */
    keepOrRenew(request: RequestHead, reply: FastifyReply, owner: Owner): string {
      const known = cookies.csrf.read(request)
      const token = known && isFor(known, owner, [key]) ? known : make(owner)
      cookies.csrf.set(reply, token)
      return token
    },

    /** For requests that are authenticated by a cookie. */
    check(request: RequestHead, owner: Owner, afterBody?: AfterBody): void {
      // Former keys are accepted, so that an open page keeps working after a key rotation.
      checkSentTwice(request, afterBody, (token) => isFor(token, owner, [key, ...formerKeys]))
    },

    /** For anonymous requests. Any token is accepted if it came in both places. */
    checkPair: (request: RequestHead, afterBody?: AfterBody): void =>
      checkSentTwice(request, afterBody, () => true),

    /** For cookies that need no token. */
    checkOrigin(request: RequestHead): void {
      if (!SAFE_METHODS.has(request.method)) origins.refuseForeign(request)
    },
  }

  /** The token must come in the cookie and in the header or a form, from a trusted page. */
  function checkSentTwice(
    request: RequestHead,
    afterBody: AfterBody | undefined,
    isGood: (token: string) => boolean,
  ): void {
    if (SAFE_METHODS.has(request.method)) return
    origins.refuseForeign(request)
    const kept = cookies.csrf.read(request)
    if (!kept) throw problem('csrf_cookie_missing')

    const compare = (sent: unknown) => {
      if (typeof sent !== 'string' || sent === '') throw problem('csrf_token_missing')
      const isOurs = isEqualText(kept, sent) && isGood(kept)
      if (isOurs || (acceptsDjango && isSameSecret(kept, sent))) return
      throw problem('csrf_token_incorrect')
    }
    const header = request.headers['x-csrftoken']
    if (!header && afterBody && isForm(request)) afterBody((body) => compare(fieldOf(body)))
    else compare(header)
  }
}

/** Django masks the token in forms, so the two texts differ. */
function isSameSecret(kept: string, sent: string): boolean {
  const [one, other] = [csrfSecretIn(kept), csrfSecretIn(sent)]
  return one !== null && other !== null && isEqualText(one, other)
}

/** Browsers submit forms only by POST, and Django looks for the field only there. */
const isForm = ({ method, headers }: RequestHead): boolean =>
  method === 'POST' && FORM_TYPES.test(headers['content-type'] ?? '')

const fieldOf = (body: unknown): unknown => (isObject(body) ? body[FORM_FIELD] : undefined)
