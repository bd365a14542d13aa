import { tagged } from '../../http/endpoint.ts'
import type { Audit } from '../audit/audit.ts'
import type { Events } from '../events/events.ts'
import { feature } from '../feature.ts'
import type { Limits } from '../limits/limits.ts'
import { createMailLimits, type MailLimits } from '../limits/mail-limits.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { OwnPassword } from '../passwords/own-password.ts'
import type { EmailKeys } from '../registration/email-keys.ts'
import type { ProvedAddress } from '../users/proved-address.ts'
import type { DjangoOrigins } from '../users/takeover/django-origins.ts'
import type { UnprovedAdditions } from '../users/unproved-additions.ts'
import type { Users } from '../users/users.ts'
import { createAddressChanges } from './address-changes.ts'
import { addressEndpoints } from './address-endpoints.ts'
import { changePageEndpoints } from './change-page-endpoints.ts'
import { createConfirmChange } from './confirm-change.ts'

type Earlier = {
  audit: Audit
  limits: Limits
  outbox: Outbox
  events: Events
  users: Users
  ownPassword: OwnPassword
  provedAddress: ProvedAddress
  unprovedAdditions: UnprovedAdditions
  djangoOrigins: DjangoOrigins
  emailKeys: EmailKeys
  verifyLimits: MailLimits
}

export const addressesFeature = feature('addresses', (context, earlier: Earlier) => {
  const { settings } = context
  const { limits, emailKeys, verifyLimits } = earlier
  const { notice_mail } = settings.ACCOUNT.RATE_LIMITS
  const needs = { ...context, ...earlier }
  const confirmChange = createConfirmChange(needs)
  const changes = createAddressChanges({
    ...needs,
    mailLimits: verifyLimits,
    wantedLimits: createMailLimits(limits, 'wanted-mail', notice_mail),
    linkTemplate: settings.EMAIL_CHANGE_URL,
  })
  return {
    service: { confirmChange },
    endpoints: tagged('Address', [
      ...addressEndpoints({ changes, confirmChange }),
      ...changePageEndpoints(confirmChange),
    ]),
    // A thief may have asked for another address.
    revoked: emailKeys.dropChange,
  }
})
