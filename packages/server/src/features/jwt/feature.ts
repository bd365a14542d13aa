import { createJwt } from '../../crypto/jwt/jwt.ts'
import { sharedSecret } from '../../crypto/jwt/keys.ts'
import { loadJwtKeys } from '../../crypto/jwt/load-keys.ts'
import { tagged } from '../../http/endpoint.ts'
import { KEEP_SPENT } from '../../kernel/clock.ts'
import { problem } from '../../kernel/problems.ts'
import { SHORT_SIGNING_KEY } from '../../settings/deploy-checks/keys.ts'
import { warningsOf } from '../../settings/finding.ts'
import { feature, type Offers } from '../feature.ts'
import type { UpToPasswords } from '../passwords/feature.ts'
import { createTokenAnswers, jwksEndpoint, tokenEndpoints } from './jwt-endpoints.ts'
import { keysInUse } from './keys-in-use.ts'
import { createPairs } from './pairs.ts'
import { createRefreshTokens } from './refresh-tokens.ts'
import { createSpentTokens, successorOwner } from './spent-tokens.ts'
import { createTokenReader } from './token-reader.ts'

export const jwtFeature = feature((house: UpToPasswords) => {
  const { settings, secretKey, clock, http } = house
  const { ISSUER, AUDIENCE, LEEWAY, USER_ID_CLAIM: userIdClaim } = settings.SIMPLE_JWT
  const claimRules = { issuer: ISSUER, audience: AUDIENCE, leewayMs: LEEWAY, userIdClaim }
  const { keys, tokenKeys } = house.attempt(
    () => {
      const read = loadJwtKeys(settings.SIMPLE_JWT, secretKey)
      return { keys: read, tokenKeys: keysInUse(settings, read) }
    },
    () => ({ keys: sharedSecret('HS256', secretKey), tokenKeys: [] }),
  )
  const jwt = createJwt(keys, claimRules, clock)
  const reader = createTokenReader({ ...house, jwt })
  const pairs = createPairs({ ...house, jwt })
  const spentTokens = createSpentTokens(house)
  const refreshTokens = createRefreshTokens({ ...house, reader, pairs, spentTokens })
  const tokenAnswers = createTokenAnswers(house)
  const isOn = settings.REST_AUTH.USE_JWT
  return {
    offers: {
      pairs,
      refreshTokens,
      spentTokens,
      tokenAnswers,
      tokenKeys,
    },
    endpoints: tagged('Tokens', [
      ...(isOn ? tokenEndpoints({ ...house, refreshTokens, tokenAnswers }) : []),
      jwksEndpoint(jwt.publicKeys),
    ]),
    ...(isOn && {
      authenticators: [
        {
          name: 'jwt',
          header: {
            schemes: settings.SIMPLE_JWT.AUTH_HEADER_TYPES.map((word) => word.toLowerCase()),
            identify(token) {
              if (token === '' || /\s/.test(token)) throw problem('bad_authorization_header')
              return reader.identify(token)
            },
          },
          cookieNeedsCsrf: tokenAnswers.areCsrfProtected,
          fromCookie(asking) {
            const token = http.cookies.access?.read(asking)
            return token ? reader.identify(token) : null
          },
        },
      ],
      recognise: reader.identify,
    }),
    keeps: { rows: ['spent_refresh_tokens'] },
    sealed: [
      {
        table: 'spent_refresh_tokens',
        keys: ['key'],
        column: 'sealed_successor',
        ownerOf: successorOwner,
      },
    ],
    sweeps: [
      { table: 'spent_refresh_tokens', key: 'key', time: 'expires_at', keepFor: KEEP_SPENT },
    ],
    warnings: () => warningsOf(SHORT_SIGNING_KEY, settings),
  }
})

export type UpToJwt = UpToPasswords & Offers<typeof jwtFeature>
