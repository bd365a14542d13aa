import { createJwt } from '../../crypto/jwt/jwt.ts'
import { loadJwtKeys } from '../../crypto/jwt/load-keys.ts'
import type { UpToPasswords } from '../passwords/feature.ts'
import { createAccessTokens } from './access-tokens.ts'
import { createPairs } from './pairs.ts'
import { createRefreshTokens } from './refresh-tokens.ts'
import { createRotation } from './rotation.ts'
import { createSpentTokens } from './spent-tokens.ts'
import { findOwnerIn } from './token-owners.ts'

/** The services behind JSON Web Tokens, each built on those before it. */
export function createJwtServices(house: UpToPasswords) {
  const { settings, secretKey, sessions, clock } = house
  const { ISSUER, AUDIENCE, LEEWAY, USER_ID_CLAIM: userIdClaim } = settings.SIMPLE_JWT
  const rules = { issuer: ISSUER, audience: AUDIENCE, leewayMs: LEEWAY, userIdClaim }

  const jwt = createJwt(loadJwtKeys(settings.SIMPLE_JWT, secretKey), rules, clock)
  const findOwner = findOwnerIn(sessions)
  const pairs = createPairs({ ...house, jwt })
  const accessTokens = createAccessTokens({ jwt, findOwner })
  const spentTokens = createSpentTokens(house)
  const needs = { ...house, jwt, pairs, spentTokens, findOwner }
  const refreshTokens = createRefreshTokens({ ...needs, rotation: createRotation(needs) })
  return { jwt, pairs, accessTokens, refreshTokens, spentTokens }
}
