import { sealedText } from '../../core/sealed.ts'
import { tagged } from '../../http/endpoint.ts'
import { isShortSigningKey, SHORT_SIGNING_KEY } from '../../settings/deploy-checks/keys.ts'
import { feature, type Offers } from '../feature.ts'
import type { UpToPasswords } from '../passwords/feature.ts'
import { createTokenAnswers } from './answer-tokens.ts'
import { authenticateJwt } from './authenticate-jwt.ts'
import { jwksEndpoint } from './jwks-endpoint.ts'
import { createJwtServices } from './jwt-services.ts'
import { refreshEndpoint } from './refresh-endpoint.ts'
import { successorOwner } from './spent-tokens.ts'
import { verifyEndpoint } from './verify-endpoint.ts'

export const jwtFeature = feature('jwt', (house: UpToPasswords) => {
  const { settings, http } = house
  const { jwt, pairs, accessTokens, refreshTokens, spentTokens } = createJwtServices(house)
  const answers = createTokenAnswers({ http, settings })
  const isOn = settings.REST_AUTH.USE_JWT
  return {
    offers: { pairs, refreshTokens, spentTokens, answers },
    endpoints: tagged('Tokens', [
      ...(isOn ? [verifyEndpoint(refreshTokens)] : []),
      ...(isOn ? [refreshEndpoint({ refreshTokens, http, answers })] : []),
      jwksEndpoint(jwt.publicKeys),
    ]),
    ...(isOn && {
      authenticators: [authenticateJwt({ accessTokens, http, settings })],
      recognise: accessTokens.identify,
    }),
    keeps: { erase: (user, tx) => spentTokens.forgetUser(user.id, tx) },
    sealed: [
      sealedText(
        house.sealedBox,
        { table: 'spent_refresh_tokens', key: 'digest', column: 'sealed_successor' },
        successorOwner,
      ),
    ],
    sweeps: [{ table: 'spent_refresh_tokens', key: 'digest', time: 'expires_at' }],
    warnings: isShortSigningKey(settings) ? [`SIMPLE_JWT.SIGNING_KEY ${SHORT_SIGNING_KEY}.`] : [],
  }
})

export type UpToJwt = UpToPasswords & Offers<typeof jwtFeature>
