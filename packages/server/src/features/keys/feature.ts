import { tagged } from '../../http/endpoint.ts'
import { feature, type Offers } from '../feature.ts'
import type { UpToOperators } from '../operators/feature.ts'
import { createApiKeys, PREFIX } from './api-keys.ts'
import { apiKeysEndpoints, apiKeysEntry } from './api-keys-endpoints.ts'

/** Comes before the feature of tokens, which has the same scheme and would refuse these keys. */
export const keysFeature = feature((house: UpToOperators) => {
  const apiKeys = createApiKeys(house)
  const isOn = house.settings.API_KEYS
  return {
    offers: { apiKeys },
    keeps: { rows: ['api_keys'], dossier: [apiKeysEntry(apiKeys)] },
    waysIn: 'api_keys',
    revoked: apiKeys.revokeAll,
    sweeps: [{ table: 'api_keys', key: 'id', time: 'expires_at' }],
    ...(isOn && {
      endpoints: tagged('Keys', apiKeysEndpoints({ ...house, apiKeys })),
      authenticators: [
        {
          name: 'token',
          header: { schemes: ['token'], prefix: PREFIX, identify: apiKeys.identify },
        },
      ],
      recognise: apiKeys.identify,
      worker: apiKeys.worker,
    }),
  }
})

export type UpToKeys = UpToOperators & Offers<typeof keysFeature>
