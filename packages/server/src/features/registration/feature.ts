import { tagged } from '../../http/endpoint.ts'
import type { Audit } from '../audit/audit.ts'
import type { Events } from '../events/events.ts'
import { feature } from '../feature.ts'
import type { Limits } from '../limits/limits.ts'
import { createMailLimits } from '../limits/mail-limits.ts'
import type { LoginExchange } from '../login/answer-login.ts'
import type { Gate } from '../login/gate.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { PasswordRules } from '../passwords/password-rules.ts'
import type { ProvedAddress } from '../users/proved-address.ts'
import type { DjangoOrigins } from '../users/takeover/django-origins.ts'
import type { UnprovedAdditions } from '../users/unproved-additions.ts'
import type { UserFields } from '../users/user-fields.ts'
import type { UsernameRules } from '../users/username-rules.ts'
import type { Users } from '../users/users.ts'
import { confirmPageEndpoints } from './confirm-page-endpoints.ts'
import { createDjangoEmailKeys } from './django-email-keys.ts'
import { createEmailKeys } from './email-keys.ts'
import { knownConfirmations } from './known-confirmations.ts'
import { createRegistration } from './registration.ts'
import { registrationEndpoint } from './registration-endpoint.ts'
import { createVerification } from './verification.ts'
import { verificationEndpoints } from './verification-endpoints.ts'

type Earlier = {
  audit: Audit
  limits: Limits
  outbox: Outbox
  events: Events
  users: Users
  userFields: UserFields
  usernameRules: UsernameRules
  djangoOrigins: DjangoOrigins
  provedAddress: ProvedAddress
  unprovedAdditions: UnprovedAdditions
  rules: PasswordRules
  gate: Gate
  exchange: LoginExchange
}

export const registrationFeature = feature('registration', (context, earlier: Earlier) => {
  const { settings, host } = context
  const { limits, exchange } = earlier
  const { verify_mail } = settings.ACCOUNT.RATE_LIMITS
  const verifyLimits = createMailLimits(limits, 'verify-mail', verify_mail)
  const emailKeys = createEmailKeys(context)
  const verification = createVerification({
    ...context,
    ...earlier,
    emailKeys,
    djangoKeys: createDjangoEmailKeys({ ...context, ...earlier }),
    mailLimits: verifyLimits,
    linkTemplate: settings.EMAIL_CONFIRM_URL,
  })
  const registration = createRegistration({
    ...context,
    ...earlier,
    mailLimits: createMailLimits(limits, 'registered-mail', verify_mail),
    verification,
  })
  return {
    service: { verification, emailKeys, verifyLimits },
    endpoints: settings.MODULES.includes('registration')
      ? tagged('Registration', [
          registrationEndpoint({ registration, host, exchange, settings }),
          ...verificationEndpoints(verification),
          ...confirmPageEndpoints({ verification, settings }),
        ])
      : [],
    keeps: {
      known: [knownConfirmations(emailKeys)],
      erase: (user, tx) => emailKeys.dropAll(user.id, tx),
    },
    sweeps: [{ table: 'email_keys', forget: emailKeys.forgetExpired }],
  }
})
