import { problem } from '../../kernel/problems.ts'
import { REFUSED_KEYS } from '../../settings/authentication-classes.ts'
import { warningsOf } from '../../settings/finding.ts'
import { feature, type Offers } from '../feature.ts'
import type { UpToKeys } from '../keys/feature.ts'
import { createRevocation } from './revocation.ts'
import { createTokens, tokenOwner } from './tokens.ts'

export const tokensFeature = feature((house: UpToKeys) => {
  const { settings } = house
  const tokens = createTokens(house)
  return {
    offers: {
      tokens,
      revocation: createRevocation({ ...house, tokens }),
      adoptTokens: tokens.adopt,
    },
    keeps: { rows: ['tokens'] },
    sealed: [{ table: 'tokens', keys: ['user_id'], column: 'sealed_key', ownerOf: tokenOwner }],
    stillValid: tokens.stillValid,
    worker: tokens.worker,
    ...(settings.TOKEN_LIFETIME !== null && {
      sweeps: [
        {
          table: 'tokens',
          key: 'user_id',
          time: 'created_at',
          keepFor: settings.TOKEN_LIFETIME,
        },
      ],
    }),
    warnings: () => warningsOf(REFUSED_KEYS, settings),
    ...(settings.REST_AUTH.TOKEN_MODEL && {
      authenticators: [
        {
          name: 'token',
          header: {
            schemes: ['token'],
            identify(key) {
              if (key === '') throw problem('token_header_empty')
              if (key.includes(' ')) throw problem('token_header_spaces')
              return tokens.identify(key)
            },
          },
        },
      ],
      recognise: tokens.identify,
    }),
  }
})

export type UpToTokens = UpToKeys & Offers<typeof tokensFeature>
