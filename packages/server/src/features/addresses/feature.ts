import { tagged } from '../../http/endpoint.ts'
import { feature, type Offers } from '../feature.ts'
import { createMailLimits } from '../limits/mail-limits.ts'
import type { UpToRegistration } from '../registration/feature.ts'
import { createAddressChanges } from './address-changes.ts'
import { addressEndpoints } from './address-endpoints.ts'
import { changePageEndpoints } from './change-page-endpoints.ts'
import { createConfirmChange } from './confirm-change.ts'

export const addressesFeature = feature('addresses', (house: UpToRegistration) => {
  const { settings, limits, emailKeys, verifyLimits } = house
  const { notice_mail } = settings.ACCOUNT.RATE_LIMITS
  const confirmChange = createConfirmChange(house)
  const changes = createAddressChanges({
    ...house,
    mailLimits: verifyLimits,
    wantedLimits: createMailLimits(limits, 'wanted-mail', notice_mail),
    linkTemplate: settings.EMAIL_CHANGE_URL,
  })
  return {
    offers: { confirmChange },
    endpoints: tagged('Address', [
      ...addressEndpoints({ changes, confirmChange }),
      ...changePageEndpoints(confirmChange),
    ]),
    // A thief may have asked for another address.
    revoked: emailKeys.dropChange,
  }
})

export type UpToAddresses = UpToRegistration & Offers<typeof addressesFeature>
