import { createHash } from 'node:crypto'
import { compactSigner } from '../crypto/jwt/compact.ts'
import { generateKey, keyPair, publicKeySet } from '../crypto/jwt/keys.ts'
import { type Clock, HOUR, MINUTE, SECOND } from '../kernel/clock.ts'
import { randomToken } from '../kernel/random.ts'
import { readDuration, readFlag, readObject, readText } from './input.ts'
import { TestRefusal } from './refusal.ts'

/** A program that the provider knows: the service, by the settings of the test. */
export type Client = {
  /** Where the program finds the provider. */
  readonly issuer: string
  readonly clientId: string
  readonly secret: string
}

export type IdentityProvider = ReturnType<typeof createIdentityProvider>

/** What the provider says at the next login. */
type Next = {
  readonly claims: Readonly<Record<string, unknown>>
  readonly error: string | null
  readonly delayMs: number
}

/** A code or an access token that the provider has given out. */
type Grant = Next & {
  readonly clientId: string
  readonly redirectUri: string
  readonly nonce: string | undefined
  readonly challenge: string | undefined
  readonly expiresAt: number
}

const NAMES = ['sub', 'email', 'email_verified', 'name', 'claims', 'error', 'delay'] as const
const ANYBODY: Next = {
  claims: { sub: 'somebody', email: 'somebody@example.com', email_verified: true },
  error: null,
  delayMs: 0,
}
const CODE_LIFETIME = 10 * MINUTE
const TOKEN_LIFETIME = HOUR
const GRANTS_MAX = 1000
const DELAY_MAX = MINUTE

/** An error of the protocol, as RFC 6749 writes it. */
export class OAuthError extends Error {
  readonly status: number

  constructor(code: string, status = 400) {
    super(code)
    this.status = status
  }
}

/**
 * An OpenID provider without people: it says at once what the test wants. Everything else is as the
 * standards ask for it (codes that work once, PKCE, client secrets, signed ID tokens), since the
 * service must not notice a difference.
 */
export function createIdentityProvider(client: Client, clock: Clock) {
  const { issuer } = client
  const keys = keyPair('ES256', generateKey('ES256').privatePem)
  const sign = compactSigner(keys)
  const codes = createGrants(clock)
  const tokens = createGrants(clock)
  let next: Next | null = null

  function checkClient(headers: { authorization?: string | undefined }, form: Form): void {
    const [, basic] = /^Basic ([\w+/=]+)$/i.exec(headers.authorization ?? '') ?? []
    const [id, secret] = basic
      ? Buffer.from(basic, 'base64').toString().split(':', 2).map(decodeURIComponent)
      : [form.client_id, form.client_secret ?? '']
    if (id !== client.clientId || secret !== client.secret) {
      throw new OAuthError('invalid_client', 401)
    }
  }

  function idToken({ claims, nonce, clientId }: Grant): string {
    const iat = Math.floor(clock.now() / SECOND)
    const times = { iat, exp: iat + TOKEN_LIFETIME / SECOND, auth_time: iat }
    // The service accepts a token once. Without this, two of one second would be the same.
    const jti = randomToken(12)
    const ours = { iss: issuer, aud: clientId, jti, ...times, ...(nonce && { nonce }) }
    return sign(JSON.stringify({ ...claims, ...ours }))
  }

  return {
    /** Sets what the next login answers. */
    setNext(body: unknown): Next {
      const { error, delay, claims: more, ...given } = readObject(body, NAMES)
      if (error !== undefined && Object.keys(given).length > 0) {
        throw new TestRefusal('error: a login that fails has no sub, email or name.')
      }
      const { email_verified } = given
      const claims = {
        ...ANYBODY.claims,
        // Another person has another address, unless the test gives one.
        ...(given.sub !== undefined && { email: `${readText(given.sub, 'sub')}@example.com` }),
        ...given,
        ...(email_verified !== undefined && {
          email_verified: readFlag(email_verified, 'email_verified'),
        }),
        ...(more !== undefined && readObject(more, Object.keys(Object(more)), 'claims')),
      }
      for (const name of ['sub', 'email', 'name'] as const) {
        if (given[name] !== undefined) readText(given[name], name)
      }
      next = {
        claims,
        error: error === undefined ? null : readText(error, 'error'),
        delayMs: delay === undefined ? 0 : readDuration(delay, 'delay', DELAY_MAX),
      }
      return next
    },

    discovery: () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      code_challenge_methods_supported: ['S256'],
    }),

    jwks: () => publicKeySet(keys),

    /** Where the browser goes next. Nobody is asked anything. */
    authorize(query: Form): string {
      const { client_id: clientId, redirect_uri: redirectUri, response_type, state } = query
      if (clientId !== client.clientId)
        throw new TestRefusal('client_id: not that of the settings.')
      if (!redirectUri || !URL.canParse(redirectUri)) {
        throw new TestRefusal('redirect_uri: expected an absolute URL.')
      }
      const said = next ?? ANYBODY
      next = null
      const back = new URL(redirectUri)
      const error = said.error ?? (response_type === 'code' ? null : 'unsupported_response_type')
      if (error !== null) back.searchParams.set('error', error)
      else {
        const { nonce, code_challenge: challenge } = query
        const expiresAt = clock.now() + CODE_LIFETIME
        const grant = { ...said, clientId, redirectUri, nonce, challenge, expiresAt }
        back.searchParams.set('code', codes.add(grant))
      }
      if (state) back.searchParams.set('state', state)
      return back.href
    },

    /** Exchanges a code, once. `delayMs` is how long the answer is to take. */
    exchange(headers: { authorization?: string | undefined }, form: Form) {
      checkClient(headers, form)
      if (form.grant_type !== 'authorization_code') throw new OAuthError('unsupported_grant_type')
      const grant = codes.take(form.code ?? '')
      const isSame =
        grant &&
        form.redirect_uri === grant.redirectUri &&
        (grant.challenge === undefined || s256(form.code_verifier ?? '') === grant.challenge)
      if (!isSame) throw new OAuthError('invalid_grant')
      const access_token = tokens.add({ ...grant, expiresAt: clock.now() + TOKEN_LIFETIME })
      const lifetime = { token_type: 'Bearer', expires_in: TOKEN_LIFETIME / SECOND }
      return {
        delayMs: grant.delayMs,
        body: { access_token, ...lifetime, id_token: idToken(grant) },
      }
    },

    userinfo({ authorization = '' }: { authorization?: string | undefined }) {
      const [, token = ''] = /^Bearer (\S+)$/i.exec(authorization) ?? []
      const grant = tokens.peek(token)
      if (!grant) throw new OAuthError('invalid_token', 401)
      return grant.claims
    },

    forget(): void {
      next = null
      codes.clear()
      tokens.clear()
    },
  }
}

/** The fields of a form or a query. */
export type Form = Readonly<Record<string, string | undefined>>

const s256 = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

function createGrants(clock: Clock) {
  const grants = new Map<string, Grant>()
  const peek = (key: string): Grant | null => {
    const grant = grants.get(key)
    return grant && grant.expiresAt > clock.now() ? grant : null
  }
  return {
    peek,
    clear: () => grants.clear(),
    add(grant: Grant): string {
      const [oldest] = grants.keys()
      if (grants.size >= GRANTS_MAX && oldest) grants.delete(oldest)
      const key = randomToken(24)
      grants.set(key, grant)
      return key
    },
    take(key: string): Grant | null {
      const grant = peek(key)
      grants.delete(key)
      return grant
    },
  }
}
