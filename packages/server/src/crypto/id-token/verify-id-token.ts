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
import { ALGORITHMS } from './algorithms.ts'

/** Whose tokens are good, and for whom they must have been made. */
export type IdTokenRules = {
  issuers: readonly string[]
  clientIds: readonly string[]
  now: number
}

export type IdToken = {
  claims: JWTPayload & { exp: number }
  algorithm: string
  /** What was signed; unlike the whole token it has no second spelling. */
  signedPart: string
}

export type IdTokenResult = { token: IdToken } | { refusal: string; isKeyUnknown: boolean }

const LEEWAY_SECONDS = 60

/** OpenID Connect Core, 3.1.3.7, with the algorithm, issuer and audience fixed by us. */
export async function verifyIdToken(
  token: string,
  keys: readonly JWK[],
  { issuers, clientIds, now }: IdTokenRules,
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
      refusalOfKind(payload, protectedHeader.typ) ??
      refusalOfTime(payload, now) ??
      refusalOfParty(payload, clientIds)
    if (refusal) return { refusal, isKeyUnknown: false }
    return {
      token: {
        claims: { ...payload, exp: payload.exp ?? 0 },
        algorithm: protectedHeader.alg,
        signedPart: token.slice(0, token.lastIndexOf('.')),
      },
    }
  } catch (error) {
    // Whatever a forged token makes the library throw, it is the token's fault.
    return {
      refusal: reasonOf(error),
      isKeyUnknown: error instanceof errors.JWKSNoMatchingKey,
    }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed) return `${error.claim} is not right`
  return error instanceof errors.JOSEError ? error.code : 'malformed'
}

/** Whether it claims, so far without proof, to be an ID token of these issuers for us. */
export function looksLikeIdToken(
  token: string,
  { issuers, clientIds }: Pick<IdTokenRules, 'issuers' | 'clientIds'>,
): boolean {
  try {
    const { iss = '', aud = [] } = decodeJwt(token)
    const { alg = '' } = decodeProtectedHeader(token)
    return (
      ALGORITHMS.includes(alg) &&
      issuers.includes(iss) &&
      [aud].flat().some((audience) => clientIds.includes(audience))
    )
  } catch {
    return false
  }
}

type PublicKey = CryptoKey | JWK | Uint8Array

/** Where several keys of the set fit (no `kid`, or one given twice) each of them may try. */
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
        refusal = next
        if (!(next instanceof errors.JWSSignatureVerificationFailed)) throw next
      }
    }
    throw refusal
  }
}

/** Access tokens and logout tokens are signed by the same keys, and are not ID tokens. */
function refusalOfKind({ events }: JWTPayload, type: string | undefined): string | null {
  if (type !== undefined && type.toUpperCase() !== 'JWT') return 'not an ID token by its typ'
  return events === undefined ? null : 'a logout token'
}

function refusalOfTime({ iat = 0 }: JWTPayload, now: number): string | null {
  return iat > now / SECOND + LEEWAY_SECONDS ? 'issued in the future' : null
}

/** With several audiences, or wherever it is there, `azp` says which of them asked for it. */
function refusalOfParty({ aud, azp }: JWTPayload, clientIds: readonly string[]): string | null {
  const isForSeveral = Array.isArray(aud) && aud.length > 1
  if (azp === undefined) return isForSeveral ? 'azp is missing' : null
  return typeof azp === 'string' && clientIds.includes(azp) ? null : 'azp is somebody else'
}
