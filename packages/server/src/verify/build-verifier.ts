import { checkClaims, USER_ID } from '../crypto/jwt/claims.ts'
import { type Clock, SECOND } from '../kernel/clock.ts'
import { type KeyRing, keyRing } from './key-ring.ts'
import { createPublishedKeys } from './published-keys.ts'
import { type Algorithm, readKey, type VerifyingKey } from './read-key.ts'
import { TokenRefused } from './token-refused.ts'

/** What the tokens are checked with: keys, or the address where the service publishes them. */
export type KeySource =
  | {
      /** The key, or several: the current one and former ones. */
      key: VerifyingKey | readonly VerifyingKey[]
      /**
       * Required for HS384, HS512, RS384 and RS512 (`SIMPLE_JWT.ALGORITHM`), unless a JWK names it.
       */
      algorithm?: Algorithm
      jwksUrl?: never
    }
  | {
      /** Where the service publishes its keys: `…/auth/.well-known/jwks.json`. */
      jwksUrl: string | URL
      key?: never
      algorithm?: never
    }

/** Further requirements for a token, with the values from the settings of the service. */
export type VerifierOptions = {
  /** `SIMPLE_JWT.ISSUER` of the service. Without it, any issuer is accepted. */
  issuer?: string
  /** `SIMPLE_JWT.AUDIENCE` of the service. Without it, any audience is accepted. */
  audience?: string
  /** By how many seconds the clocks may differ. None by default. */
  leeway?: number
  /** `SIMPLE_JWT.USER_ID_CLAIM` of the service: `user_id` by default. */
  userIdClaim?: string
  /**
   * Accepts tokens of operators who use the account of a user. Without it they are refused. Such a
   * token stays valid here for up to 30 minutes, even if the operator has stopped: ask `introspect/`
   * if that is too long. Its claim `act` names the operator.
   */
  acceptImpersonation?: boolean
}

/** The claims of an access token, including your own (`SIMPLE_JWT`, hooks). */
export type AccessClaims = {
  token_type: 'access'
  /**
   * The `pk` of the user, as text. With `userIdClaim`, the claim of that name has it, and this one is
   * missing.
   */
  user_id: string
  /** When it expires and when it was made, in seconds since 1970. */
  exp: number
  iat?: number
  jti: string
  /** The login that it belongs to. Tokens made elsewhere have none. */
  sid?: string
  iss?: string
  aud?: string | string[]
  /** The `pk` of the operator who uses the account of the user, if one does. */
  act?: { sub: string }
  [claim: string]: unknown
}

/** Resolves with the claims of a valid access token. Rejects with `TokenRefused`. */
export type Verify = (token: string) => Promise<AccessClaims>

type Needs = {
  clock: Clock
  /** How long the service has to answer with its keys. */
  timeoutMs: number
}

export function buildVerifier(source: KeySource, options: VerifierOptions, needs: Needs): Verify {
  const { issuer = null, audience = null, leeway = 0, userIdClaim = USER_ID } = checked(options)
  const { acceptImpersonation = false } = options
  const rules = { issuer, audience, leewayMs: leeway * SECOND, userIdClaim }
  const open = openerOf(source, needs)

  return async (token) => {
    if (typeof token !== 'string') throw new TokenRefused('malformed')
    const opened = await open(token)
    if (typeof opened === 'string') throw new TokenRefused(opened)
    const payload = JSON.parse(opened.json) as AccessClaims
    const result = checkClaims(payload, rules, needs.clock.now())
    if ('fault' in result) throw new TokenRefused(result.fault)
    if (result.claims.type !== 'access') throw new TokenRefused('wrong_type')
    if (payload.act !== undefined && !acceptImpersonation) throw new TokenRefused('impersonated')
    // Older versions of simplejwt write it as a number.
    return { ...payload, [userIdClaim]: String(result.claims.pk) }
  }
}

type Opener = (token: string) => ReturnType<KeyRing> | Promise<ReturnType<KeyRing>>

function openerOf({ key, algorithm, jwksUrl }: KeySource, needs: Needs): Opener {
  if ((key === undefined) === (jwksUrl === undefined)) {
    throw new TypeError('createVerifier: give either `key` or `jwksUrl`.')
  }
  if (key !== undefined) {
    const keys = [key].flat().map((one: VerifyingKey) => readKey(one, algorithm))
    if (keys.length === 0) throw new TypeError('createVerifier: `key` is an empty list.')
    return keyRing(keys)
  }
  const published = createPublishedKeys({ ...needs, url: webAddress(jwksUrl) })
  return async (token) => {
    const ring = await published.get()
    const opened = ring(token)
    // The service may have changed its key since the last fetch.
    const newer = opened === 'unknown_key' ? await published.refresh(ring) : null
    return newer ? newer(token) : opened
  }
}

function webAddress(given: string | URL): URL {
  const isWeb = URL.canParse(`${given}`) && /^https?:$/.test(new URL(given).protocol)
  if (!isWeb) throw new TypeError('createVerifier: `jwksUrl` is not an http(s) address.')
  return new URL(given)
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** An option without a check does not compile. */
const CHECKS: { readonly [Name in keyof VerifierOptions]-?: (value: unknown) => boolean } = {
  issuer: isText,
  audience: isText,
  userIdClaim: isText,
  leeway: (value) => Number.isFinite(value) && Number(value) >= 0,
  acceptImpersonation: (value) => typeof value === 'boolean',
}

/** Otherwise a misspelt option would silently disable a check. */
function checked(options: VerifierOptions): VerifierOptions {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    const isFine = Object.hasOwn(CHECKS, name) && CHECKS[name as keyof VerifierOptions](value)
    if (!isFine) throw new TypeError(`createVerifier: the option \`${name}\` is unknown or wrong.`)
  }
  return options
}
