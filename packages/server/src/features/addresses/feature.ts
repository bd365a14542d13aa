import { tagged } from '../../http/endpoint.ts'
import { feature, type Offers } from '../feature.ts'
import { createMailLimits } from '../limits/limits.ts'
import type { UpToRegistration } from '../registration/feature.ts'
import { type LinkPage, linkPageEndpoints } from '../registration/link-page-endpoints.ts'
import { createAddressChanges, createReplaceAddress } from './address-changes.ts'
import { addressEndpoints } from './address-endpoints.ts'

export const addressesFeature = feature('addresses', (house: UpToRegistration) => {
  const { settings, http, limits, emailKeys } = house
  const { notice_mail } = settings.ACCOUNT.RATE_LIMITS
  const wantedLimits = createMailLimits(limits, 'wanted-mail', notice_mail)
  const replaceAddress = createReplaceAddress(house)
  const changes = createAddressChanges({ ...house, wantedLimits, replaceAddress })
  const { accountOf, confirm, disown } = changes
  // A GET never spends the key, whatever the settings say about other links.
  const changePage: LinkPage = { words: 'change', accountOf, confirm, disown, onGet: false }
  return {
    offers: { changePage, replaceAddress },
    endpoints: tagged('Address', [
      ...addressEndpoints({ ...house, changes }),
      ...linkPageEndpoints(changePage, http.pages, {
        path: 'email/change/confirm/:key/',
        operationIds: { show: 'showEmailChangePage', submit: 'submitEmailChangePage' },
        isHosted: false,
      }),
    ]),
    // A thief may have asked for another address.
    loginsEnded: emailKeys.dropChange,
  }
})

export type UpToAddresses = UpToRegistration & Offers<typeof addressesFeature>
