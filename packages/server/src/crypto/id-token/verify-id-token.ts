import {
  type CryptoKey,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWK,
  type JWTPayload,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
} from 'jose'
import { SECOND } from '../../kernel/clock.ts'
import { ALGORITHMS } from './signatures.ts'

/** Which issuers are accepted, and for which clients a token must be made. */
type IdTokenRules = {
  issuers: readonly string[]
  clientIds: readonly string[]
  now: number
  /** The issuer itself gave it to us for a code, so nobody can pass off an access token. */
  isFromExchange?: boolean
}

export type IdToken = {
  claims: JWTPayload
  algorithm: string
  /** From this time on it is refused. */
  expiresAt: number
  /** The signed part of the token. Unlike the whole token, it has only one spelling. */
  signedPart: string
}

type IdTokenResult = { token: IdToken } | { refusal: string; isKeyUnknown: boolean }

/** How much clocks may differ. */
const LEEWAY_SECONDS = 60

/**
 * Follows OpenID Connect Core, 3.1.3.7. Algorithm, issuer and audience are fixed by the
 * configuration, not by the token.
 */
export async function verifyIdToken(
  token: string,
  keys: readonly JWK[],
  { issuers, clientIds, now, isFromExchange }: IdTokenRules,
): Promise<IdTokenResult> {
  try {
    const { payload, protectedHeader } = await verifyWithAny(token, keys, {
      algorithms: [...ALGORITHMS],
      issuer: [...issuers],
      audience: [...clientIds],
      clockTolerance: LEEWAY_SECONDS,
      currentDate: new Date(now),
      requiredClaims: ['sub', 'exp', 'iat'],
    })
    const refusal =
      refusalOfKind(payload, protectedHeader.typ, isFromExchange) ??
      refusalOfTime(payload, now) ??
      refusalOfParty(payload, clientIds)
    if (refusal) return { refusal, isKeyUnknown: false }
    return {
      token: {
        claims: payload,
        algorithm: protectedHeader.alg,
        expiresAt: endOf(payload),
        signedPart: token.slice(0, token.lastIndexOf('.')),
      },
    }
  } catch (error) {
    // Only the token can cause an error here, so any error is a refusal.
    return {
      refusal: reasonOf(error),
      // A provider may replace a key without giving the new one another `kid`.
      isKeyUnknown:
        error instanceof errors.JWKSNoMatchingKey ||
        error instanceof errors.JWSSignatureVerificationFailed,
    }
  }
}

/** The issuer sets the time, and it can be any number. */
const endOf = ({ exp = 0 }: JWTPayload): number =>
  Math.ceil(Math.min((exp + LEEWAY_SECONDS) * SECOND, Number.MAX_SAFE_INTEGER))

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed) return `${error.claim} is not right`
  return error instanceof errors.JOSEError ? error.code : 'malformed'
}

/** Whether a token claims to be an ID token of these issuers for us. Does not verify it. */
export function looksLikeIdToken(
  token: string,
  { issuers, clientIds }: Pick<IdTokenRules, 'issuers' | 'clientIds'>,
): boolean {
  try {
    const payload = decodeJwt(token)
    const { iss = '', aud = [] } = payload
    const { alg = '', typ } = decodeProtectedHeader(token)
    return (
      refusalOfKind(payload, typ) === null &&
      ALGORITHMS.includes(alg) &&
      issuers.includes(iss) &&
      [aud].flat().some((audience) => clientIds.includes(audience))
    )
  } catch {
    return false
  }
}

type PublicKey = CryptoKey | JWK | Uint8Array

/**
 * Several keys of the set may fit: the token has no `kid`, or two keys share one. Then each is
 * tried.
 */
async function verifyWithAny(
  token: string,
  keys: readonly JWK[],
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, createLocalJWKSet({ keys: [...keys] }), options)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    let refusal: unknown = error
    for await (const key of error as AsyncIterable<PublicKey>) {
      try {
        return await jwtVerify(token, key, options)
      } catch (next) {
        // The key is too weak to be used. Another one may have signed the token.
        if (next instanceof TypeError) continue
        refusal = next
        if (!(next instanceof errors.JWSSignatureVerificationFailed)) throw next
      }
    }
    throw refusal
  }
}

/**
 * Refuses access tokens and logout tokens: they are signed by the same keys, but are not ID tokens. What
 * an issuer gives as an ID token may have scopes (Casdoor).
 */
function refusalOfKind(
  payload: JWTPayload,
  type: string | undefined,
  isFromExchange = false,
): string | null {
  if (type !== undefined && type.toUpperCase() !== 'JWT') return 'not an ID token by its typ'
  if (!isFromExchange && isOfAccessToken(payload)) return 'an access token'
  return payload.events === undefined ? null : 'a logout token'
}

/** The scopes in every ID token of UAA, the server of Cloud Foundry. */
const UAA_SCOPES = '["openid"]'

/** Keycloak names the kind in the payload. Scopes belong to access tokens (RFC 9068; `scp` at Microsoft). */
const isOfAccessToken = ({ typ, scp, scope = scp }: JWTPayload): boolean =>
  typ === 'Bearer' || (scope !== undefined && JSON.stringify(scope) !== UAA_SCOPES)

function refusalOfTime({ iat = 0 }: JWTPayload, now: number): string | null {
  return iat > now / SECOND + LEEWAY_SECONDS ? 'issued in the future' : null
}

/**
 * `azp` names the client that asked for the token. It is required if there are several audiences,
 * and checked wherever it is present.
 */
function refusalOfParty({ aud, azp }: JWTPayload, clientIds: readonly string[]): string | null {
  const isForSeveral = Array.isArray(aud) && aud.length > 1
  if (azp === undefined) return isForSeveral ? 'azp is missing' : null
  return typeof azp === 'string' && clientIds.includes(azp) ? null : 'azp is somebody else'
}
