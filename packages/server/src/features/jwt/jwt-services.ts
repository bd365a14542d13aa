import type { Host } from '../../core/host/host.ts'
import { createJwt } from '../../crypto/jwt/jwt.ts'
import { loadJwtKeys } from '../../crypto/jwt/load-keys.ts'
import type { SealedBox } from '../../crypto/sealed-box.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Db } from '../../storage/handle.ts'
import type { Audit } from '../audit/audit.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { AsHookUser } from '../users/hook-user.ts'
import type { Users } from '../users/users.ts'
import { createAccessTokens } from './access-tokens.ts'
import { createPairs } from './pairs.ts'
import { createRefreshTokens } from './refresh-tokens.ts'
import { createRotation } from './rotation.ts'
import { createSpentTokens } from './spent-tokens.ts'
import { findOwnerIn } from './token-owners.ts'

type Needs = {
  settings: Pick<Settings, 'SIMPLE_JWT' | 'USER_FIELDS'>
  secretKey: string
  db: Db
  sealedBox: SealedBox
  host: Host
  users: Users
  asHookUser: AsHookUser
  sessions: Sessions
  audit: Audit
  clock: Clock
}

/** The services behind JSON Web Tokens, each built on those before it. */
export function createJwtServices(needs: Needs) {
  const { settings, secretKey, db, sealedBox, host, users, asHookUser, sessions, audit, clock } =
    needs
  const { ISSUER, AUDIENCE, LEEWAY, USER_ID_CLAIM: userIdClaim } = settings.SIMPLE_JWT
  const rules = { issuer: ISSUER, audience: AUDIENCE, leewayMs: LEEWAY, userIdClaim }

  const jwt = createJwt(loadJwtKeys(settings.SIMPLE_JWT, secretKey), rules, clock)
  const findOwner = findOwnerIn(sessions)
  const pairs = createPairs({ jwt, clock, host, asHookUser, settings })
  const accessTokens = createAccessTokens({ jwt, findOwner })
  const spentTokens = createSpentTokens({ db, sealedBox, clock, settings })
  const rotation = createRotation({
    jwt,
    pairs,
    spentTokens,
    sessions,
    users,
    db,
    audit,
    clock,
    settings,
  })
  const refreshTokens = createRefreshTokens({
    jwt,
    pairs,
    rotation,
    spentTokens,
    findOwner,
    sessions,
    settings,
  })
  return { jwt, pairs, accessTokens, refreshTokens, spentTokens }
}
