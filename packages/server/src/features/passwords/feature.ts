import { isUsablePassword } from '../../crypto/password-hash/password-hasher.ts'
import { tagged } from '../../http/endpoint.ts'
import type { UpToDevices } from '../devices/feature.ts'
import { feature, type Offers } from '../feature.ts'
import { createMailLimits } from '../limits/mail-limits.ts'
import { createDjangoResetTokens } from './django-reset-tokens.ts'
import { loadIsCommon } from './load-is-common.ts'
import { createOwnPassword } from './own-password.ts'
import { createPasswordChange } from './password-change.ts'
import {
  changePasswordEndpoint,
  confirmResetEndpoint,
  requestResetEndpoint,
} from './password-endpoints.ts'
import { createPasswordReset } from './password-reset.ts'
import { createPasswordRules } from './password-rules.ts'
import { passwordTakeover } from './password-takeover.ts'
import { resetPageEndpoints } from './reset-page-endpoints.ts'
import { createResetTokens } from './reset-tokens.ts'

export const passwordsFeature = feature('passwords', (house: UpToDevices) => {
  const { settings, secretKey, clock, http, host } = house
  const ownPassword = createOwnPassword(house)
  const needs = { ...house, ownPassword, rules: createPasswordRules(host) }
  const change = createPasswordChange(needs)
  const reset = createPasswordReset({
    ...needs,
    mailLimits: createMailLimits(
      house.limits,
      'reset-mail',
      settings.ACCOUNT.RATE_LIMITS.reset_mail,
    ),
    tokens: createResetTokens({
      secretKey,
      clock,
      lifetimeMs: settings.PASSWORD_RESET_TIMEOUT,
    }),
    djangoTokens: createDjangoResetTokens(needs),
  })
  return {
    offers: { rules: needs.rules, ownPassword, reset },
    endpoints: tagged('Passwords', [
      requestResetEndpoint(reset),
      confirmResetEndpoint({ reset, host }),
      ...resetPageEndpoints(
        { reset, host, site: http.pages },
        {
          path: 'password/reset/confirm/:uid/:token/',
          operationIds: { show: 'showPasswordResetPage', submit: 'submitPasswordResetPage' },
          isHosted: false,
        },
      ),
      changePasswordEndpoint({ change, host, http, settings }),
    ]),
    later: loadIsCommon,
    wayIn: async ({ password }) => isUsablePassword(password),
    takeover: [passwordTakeover(needs)],
  }
})

export type UpToPasswords = UpToDevices & Offers<typeof passwordsFeature>
