import { sealedText } from '../../core/sealed.ts'
import { tagged } from '../../http/endpoint.ts'
import { isShortSigningKey, SHORT_SIGNING_KEY } from '../../settings/deploy-checks/keys.ts'
import type { Audit } from '../audit/audit.ts'
import { feature } from '../feature.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { AsHookUser } from '../users/hook-user.ts'
import type { Users } from '../users/users.ts'
import { createTokenAnswers } from './answer-tokens.ts'
import { authenticateJwt } from './authenticate-jwt.ts'
import { jwksEndpoint } from './jwks-endpoint.ts'
import { createJwtServices } from './jwt-services.ts'
import { refreshEndpoint } from './refresh-endpoint.ts'
import { successorOwner } from './spent-tokens.ts'
import { verifyEndpoint } from './verify-endpoint.ts'

type Earlier = { audit: Audit; users: Users; asHookUser: AsHookUser; sessions: Sessions }

export const jwtFeature = feature('jwt', (context, earlier: Earlier) => {
  const { settings, http } = context
  const { jwt, pairs, accessTokens, refreshTokens, spentTokens } = createJwtServices({
    ...context,
    ...earlier,
  })
  const answers = createTokenAnswers({ http, settings })
  const isOn = settings.REST_AUTH.USE_JWT
  return {
    service: { pairs, refreshTokens, spentTokens, answers },
    endpoints: tagged('Tokens', [
      ...(isOn ? [verifyEndpoint(refreshTokens)] : []),
      ...(isOn ? [refreshEndpoint({ refreshTokens, http, answers })] : []),
      jwksEndpoint(jwt.publicKeys),
    ]),
    ...(isOn && {
      authenticators: [authenticateJwt({ accessTokens, http, settings })],
      recognise: accessTokens.identify,
    }),
    keeps: { known: [], erase: (user, tx) => spentTokens.forgetUser(user.id, tx) },
    sealed: [
      sealedText(
        context.sealedBox,
        { table: 'spent_refresh_tokens', key: 'digest', column: 'sealed_successor' },
        successorOwner,
      ),
    ],
    sweeps: [{ table: 'spent_refresh_tokens', forget: spentTokens.forgetExpired }],
    warnings: isShortSigningKey(settings) ? [`SIMPLE_JWT.SIGNING_KEY ${SHORT_SIGNING_KEY}.`] : [],
  }
})
