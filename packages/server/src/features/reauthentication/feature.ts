import { tagged } from '../../http/endpoint.ts'
import { feature } from '../feature.ts'
import type { UpToLogin } from '../login/feature.ts'
import { createReauthenticate } from './reauthenticate.ts'
import { reauthenticateEndpoint } from './reauthenticate-endpoint.ts'

export const reauthenticationFeature = feature('reauthentication', (house: UpToLogin) => {
  const count = house.metrics.countReauthentication
  const reauthenticate = createReauthenticate({ ...house, count })
  return {
    endpoints: tagged('Logins', [reauthenticateEndpoint(reauthenticate)]),
  }
})
