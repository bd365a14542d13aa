import { tagged } from '../../http/endpoint.ts'
import { feature, type Offers } from '../feature.ts'
import { createMailLimits } from '../limits/limits.ts'
import type { UpToSignup } from '../signup/feature.ts'
import { createEmailKeys } from './email-keys.ts'
import type { LinkPage } from './link-page-endpoints.ts'
import { passkeySignupEndpoints } from './passkey-signup-endpoints.ts'
import { createRegistration } from './registration.ts'
import { registrationEndpoint } from './registration-endpoint.ts'
import { createVerification } from './verification.ts'
import { confirmPageEndpoints, verificationEndpoints } from './verification-endpoints.ts'

export const registrationFeature = feature((house: UpToSignup) => {
  const { settings, http, limits } = house
  const { MODULES } = settings
  // Also limits links that confirm a change of address.
  const { verify_mail } = settings.ACCOUNT.RATE_LIMITS
  const verifyLimits = createMailLimits(limits, 'verify-mail', verify_mail)
  const emailKeys = createEmailKeys(house)
  const verification = createVerification({ ...house, emailKeys, verifyLimits })
  const registration = createRegistration({ ...house, verification })
  const confirmPage: LinkPage = {
    words: 'confirm',
    accountOf: verification.accountOf,
    confirm: verification.verify,
    disown: verification.disown,
    onGet: settings.ACCOUNT.CONFIRM_EMAIL_ON_GET,
  }
  return {
    offers: { confirmPage, emailKeys, verification, verifyLimits },
    endpoints: MODULES.includes('registration')
      ? tagged('Registration', [
          registrationEndpoint({ ...house, registration }),
          ...(MODULES.includes('passkeys') && settings.ACCOUNT.PASSKEY_SIGNUP
            ? passkeySignupEndpoints({ ...house, registration })
            : []),
          ...verificationEndpoints(verification),
          ...confirmPageEndpoints(confirmPage, http.pages),
        ])
      : [],
    keeps: { dossier: [emailKeys.entry], rows: ['email_keys'] },
    sweeps: [{ table: 'email_keys', key: 'digest', time: 'expires_at' }],
  }
})

export type UpToRegistration = UpToSignup & Offers<typeof registrationFeature>
