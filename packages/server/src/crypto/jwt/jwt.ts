import { type Clock, SECOND } from '../../kernel/clock.ts'
import type { Pk } from '../../kernel/ids.ts'
import { randomHex } from '../../kernel/random.ts'
import { parseObject } from '../canonical.ts'
import { type Checked, type ClaimRules, checkClaims, USER_ID } from './claims.ts'
import { compactSigner, compactVerifier, rememberGood } from './compact.ts'
import { type JwtKeys, publicKeySet } from './keys.ts'

/** The claims that differ from one new token to the next. */
export type Subject = {
  type: 'access' | 'refresh' | 'mfa_setup'
  pk: Pk
  loginId: number | null
  expiresAt: number
  /** Extra claims of this deployment. They never replace our own. */
  more?: Readonly<Record<string, unknown>>
}

export type SignedToken = { token: string; expiresAt: number }

/** Our keys did not sign it. Clients are not told why. */
type NotOurs = { fault: 'invalid' }

const NOT_OURS: NotOurs = { fault: 'invalid' }
const JTI_BYTES = 16

/**
 * How many access tokens are cached, which takes half a megabyte. Refresh tokens are used only
 * once, so they are not cached.
 */
const REMEMBERED = 512

export type Jwt = ReturnType<typeof createJwt>

/**
 * Makes and checks tokens with the claims of simplejwt. Only the configured keys sign and verify.
 */
export function createJwt(keys: JwtKeys, rules: ClaimRules, clock: Clock) {
  const signCompact = compactSigner(keys)
  const openCompact = compactVerifier(keys)
  const open = rememberGood(
    (token) => {
      const opened = openCompact(token)
      return typeof opened === 'string' ? null : parseObject(opened)
    },
    (payload) => payload?.token_type === 'access',
    REMEMBERED,
  )
  const { issuer, audience, userIdClaim = USER_ID } = rules

  return {
    sign({ type, pk, loginId, expiresAt, more }: Subject): SignedToken {
      const exp = Math.floor(expiresAt / SECOND)
      const payload = {
        ...more,
        token_type: type,
        exp,
        iat: Math.floor(clock.now() / SECOND),
        jti: randomHex(JTI_BYTES),
        [userIdClaim]: String(pk),
        ...(loginId !== null && { sid: String(loginId) }),
        ...(issuer !== null && { iss: issuer }),
        ...(audience !== null && { aud: audience }),
      }
      return { token: signCompact(JSON.stringify(payload)), expiresAt: exp * SECOND }
    },

    check(token: string): Checked | NotOurs {
      const payload = open(token)
      return payload ? checkClaims(payload, rules, clock.now()) : NOT_OURS
    },

    publicKeys: publicKeySet(keys),
  }
}
