import { tagged } from '../../http/endpoint.ts'
import { feature, type Offers } from '../feature.ts'
import type { UpToPasskeys } from '../passkeys/feature.ts'
import { createGate, createImpersonate, createPublicDoor } from './gate.ts'
import { createLogin } from './login.ts'
import {
  createLoginExchange,
  csrfEndpoint,
  loginEndpoint,
  mfaVerifyEndpoint,
  passkeyLoginEndpoints,
} from './login-endpoints.ts'
import { logoutEndpoints } from './logout-endpoints.ts'

export const loginFeature = feature((house: UpToPasskeys) => {
  const { MODULES } = house.settings
  const gate = { ...createGate(house, createPublicDoor(house)), ...createImpersonate(house) }
  const login = createLogin({ ...house, gate })
  const exchange = createLoginExchange(house)
  const needs = { ...house, gate, login, exchange }
  return {
    offers: { gate, exchange },
    endpoints: [
      ...tagged('Login', [loginEndpoint(needs), ...logoutEndpoints(house), csrfEndpoint(needs)]),
      ...(MODULES.includes('mfa') ? tagged('Second factor', [mfaVerifyEndpoint(needs)]) : []),
      ...(MODULES.includes('passkeys') ? tagged('Passkeys', passkeyLoginEndpoints(needs)) : []),
    ],
  }
})

export type UpToLogin = UpToPasskeys & Offers<typeof loginFeature>
