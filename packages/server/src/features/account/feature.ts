import { tagged } from '../../http/endpoint.ts'
import { feature, type Offers } from '../feature.ts'
import type { UpToSocial } from '../social/feature.ts'
import { deleteEndpoint, exportEndpoint } from './account-endpoints.ts'
import { createDossier } from './dossier.ts'
import { createErase, createLeaving } from './erase.ts'

/** Comes after every feature that stores something about users. */
export const accountFeature = feature((house: UpToSocial) => {
  const erase = createErase(house)
  const dossier = createDossier(house)
  const leaving = createLeaving({ ...house, erase })
  return {
    offers: { erase, dossier },
    endpoints: tagged('Account', [
      exportEndpoint(dossier),
      ...(house.settings.ACCOUNT.DELETION ? [deleteEndpoint({ ...house, leaving })] : []),
    ]),
  }
})

export type UpToAccount = UpToSocial & Offers<typeof accountFeature>
