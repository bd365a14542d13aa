import { tagged } from '../../http/endpoint.ts'
import { feature, type Offers } from '../feature.ts'
import type { UpToRegistration } from '../registration/feature.ts'
import { type LinkPage, linkPageEndpoints } from '../registration/link-page-endpoints.ts'
import { createAddressChanges, createReplaceAddress } from './address-changes.ts'
import { addressEndpoints } from './address-endpoints.ts'

export const addressesFeature = feature((house: UpToRegistration) => {
  const { http, emailKeys } = house
  const replaceAddress = createReplaceAddress(house)
  const changes = createAddressChanges({ ...house, replaceAddress })
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
