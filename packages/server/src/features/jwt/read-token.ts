import type { Claims } from '../../crypto/jwt/claims.ts'
import type { Jwt } from '../../crypto/jwt/jwt.ts'
import type { TokenFault } from '../../kernel/problems.ts'

type Read = { claims: Claims } | { fault: TokenFault }

const TYPES = ['access', 'refresh']

/**
 * Checks a token and its type. An access token is never accepted as a refresh token, nor the
 * reverse.
 */
export function readToken(jwt: Jwt, token: string, wanted: 'access' | 'refresh' | 'either'): Read {
  const checked = jwt.check(token)
  if ('fault' in checked) {
    return { fault: checked.fault === 'expired' ? 'token_expired' : 'token_invalid' }
  }
  const { type } = checked.claims
  if (wanted === 'either') return TYPES.includes(type) ? checked : { fault: 'token_invalid' }
  return type === wanted ? checked : { fault: 'token_wrong_type' }
}
