import { isUsablePassword } from '../../crypto/password-hash/password-hasher.ts'
import { tagged } from '../../http/endpoint.ts'
import type { Audit } from '../audit/audit.ts'
import type { Events } from '../events/events.ts'
import { feature } from '../feature.ts'
import type { FailedLogins } from '../limits/failed-logins.ts'
import type { Limits } from '../limits/limits.ts'
import { createMailLimits } from '../limits/mail-limits.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Revocation } from '../tokens/revocation.ts'
import type { DjangoOrigins } from '../users/takeover/django-origins.ts'
import type { UnprovedAdditions } from '../users/unproved-additions.ts'
import type { Users } from '../users/users.ts'
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
import { resetPageEndpoints } from './reset-page-endpoints.ts'
import { createResetTokens } from './reset-tokens.ts'

type Earlier = {
  audit: Audit
  limits: Limits
  failedLogins: FailedLogins
  outbox: Outbox
  events: Events
  users: Users
  djangoOrigins: DjangoOrigins
  unprovedAdditions: UnprovedAdditions
  sessions: Sessions
  revocation: Revocation
}

export const passwordsFeature = feature('passwords', (context, earlier: Earlier) => {
  const { settings, secretKey, clock, http, host } = context
  const ownPassword = createOwnPassword({ ...context, ...earlier })
  const needs = { ...context, ...earlier, ownPassword, rules: createPasswordRules(host) }
  const change = createPasswordChange(needs)
  const reset = createPasswordReset({
    ...needs,
    mailLimits: createMailLimits(
      earlier.limits,
      'reset-mail',
      settings.ACCOUNT.RATE_LIMITS.reset_mail,
    ),
    tokens: createResetTokens({
      secretKey,
      clock,
      lifetimeMs: settings.PASSWORD_RESET_TIMEOUT,
    }),
    djangoTokens: createDjangoResetTokens(needs),
    linkTemplate: settings.PASSWORD_RESET_URL,
  })
  return {
    service: { rules: needs.rules, ownPassword, reset },
    endpoints: tagged('Passwords', [
      requestResetEndpoint(reset),
      confirmResetEndpoint({ reset, host }),
      ...resetPageEndpoints({ reset, host }),
      changePasswordEndpoint({ change, host, http, settings }),
    ]),
    later: loadIsCommon,
    wayIn: async ({ password }) => isUsablePassword(password),
  }
})
