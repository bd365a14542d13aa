import { sealedText } from '../../core/sealed.ts'
import { feature } from '../feature.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Users } from '../users/users.ts'
import { authenticateToken } from './authenticate-token.ts'
import { createRevocation } from './revocation.ts'
import { tokenTakeover } from './token-takeover.ts'
import { createTokens, tokenOwner } from './tokens.ts'

type Earlier = { users: Users; sessions: Sessions }

export const tokensFeature = feature('tokens', (context, { users, sessions }: Earlier) => {
  const { db, everyFeature, sealedBox, clock, log, settings } = context
  const tokens = createTokens({ db, sealedBox, clock, log })
  return {
    service: { tokens, revocation: createRevocation({ everyFeature, users, sessions, tokens }) },
    keeps: { known: [], erase: (user, tx) => tokens.revoke(user.id, tx) },
    sealed: [
      sealedText(sealedBox, { table: 'tokens', key: 'user_id', column: 'sealed_key' }, tokenOwner),
    ],
    worker: tokens.worker,
    takeover: [tokenTakeover(tokens)],
    ...(settings.REST_AUTH.TOKEN_MODEL && {
      authenticators: [authenticateToken(tokens)],
      recognise: tokens.identify,
    }),
  }
})
