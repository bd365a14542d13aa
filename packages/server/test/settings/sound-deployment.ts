import { deployChecks } from '../../src/settings/deploy.ts'
import { findingsOf } from '../../src/settings/finding.ts'
import { resolveSource } from '../../src/settings/resolve.ts'
import { fromObject } from '../../src/settings/sources.ts'

/** A deployment without findings. */
export const sound = {
  PUBLIC_URL: 'https://auth.example.com',
  SECRET_KEY: '5f0c9e4b7a1d836290b4e8c7d1f3a6920c5b8e7d4f1a3962',
  EMAIL_URL: 'smtps://user:pass@mail.example.com',
  REST_AUTH: { OLD_PASSWORD_FIELD_ENABLED: true, LOGOUT_ON_PASSWORD_CHANGE: true },
  ACCOUNT: { REAUTHENTICATION_REQUIRED: true },
  REST_FRAMEWORK: { DEFAULT_THROTTLE_RATES: { auth_service: '60/m' }, NUM_PROXIES: 1 },
}

export const findings = (input: object) =>
  findingsOf(deployChecks, resolveSource(fromObject(input, 'settings')))

/** The settings that are unsafe. */
export const found = (input: object) => findings(input).map(({ about }) => about)
