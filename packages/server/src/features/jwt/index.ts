import type { Endpoint } from '../../http/endpoint.ts'
import type { HttpTools } from '../../http/tools.ts'
import type { Services } from '../../services.ts'
import type { Settings } from '../../settings.ts'
import type { TokenAnswers } from './answer-tokens.ts'
import { jwksEndpoint } from './jwks-endpoint.ts'
import { refreshEndpoint } from './refresh-endpoint.ts'
import { verifyEndpoint } from './verify-endpoint.ts'

export { createTokenAnswers, type TokenAnswers, tokenFields } from './answer-tokens.ts'
export { authenticateJwt } from './authenticate-jwt.ts'

export function jwtEndpoints(
  { jwt, refreshTokens }: Services,
  http: HttpTools,
  answers: TokenAnswers,
  { REST_AUTH }: Settings,
): Endpoint[] {
  const keys = jwksEndpoint(jwt.publicKeys)
  if (!REST_AUTH.USE_JWT) return [keys]
  return [verifyEndpoint(refreshTokens), refreshEndpoint({ refreshTokens, http, answers }), keys]
}
