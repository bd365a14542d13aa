import type { Claims } from '../../crypto/jwt/claims.ts'
import type { Jwt } from '../../crypto/jwt/jwt.ts'
import type { TokenFault } from '../../kernel/problems.ts'

type Read = { claims: Claims } | { fault: TokenFault }

const FAULTS = { invalid: 'token_invalid', expired: 'token_expired' } as const
const TYPES = ['access', 'refresh']

/**
 * Checks a token and its type. An access token is never accepted as a refresh token, nor the
 * reverse.
 */
export function readToken(jwt: Jwt, token: string, wanted: 'access' | 'refresh' | 'either'): Read {
  const checked = jwt.check(token)
  if ('fault' in checked) return { fault: FAULTS[checked.fault] }
  const { type } = checked.claims
  if (wanted === 'either') return TYPES.includes(type) ? checked : { fault: 'token_invalid' }
  return type === wanted ? checked : { fault: 'token_wrong_type' }
}
