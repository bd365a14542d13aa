import type { Identity } from '../../core/identity.ts'
import type { Jwt } from '../../crypto/jwt/jwt.ts'
import { accessTokenNotValid, problem } from '../../kernel/problems.ts'
import { readToken } from './read-token.ts'
import type { FindOwner } from './token-owners.ts'

export type AccessTokens = ReturnType<typeof createAccessTokens>

type Needs = { jwt: Jwt; findOwner: FindOwner }

export function createAccessTokens({ jwt, findOwner }: Needs) {
  return {
    async identify(token: string): Promise<Identity> {
      const read = readToken(jwt, token, 'access')
      if ('fault' in read) throw accessTokenNotValid(read.fault)
      const owner = await findOwner(read.claims)
      if (!owner) throw problem('user_not_found')
      if (!owner.user.is_active) throw problem('user_inactive')
      if (owner.isEnded) throw accessTokenNotValid('token_invalid')
      const { user, family, authenticatedAt } = owner
      const { expiresAt, payload: claims } = read.claims
      return { user, via: 'jwt', loginId: family?.id ?? null, authenticatedAt, expiresAt, claims }
    },
  }
}
