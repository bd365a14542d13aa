import { tagged } from '../../http/endpoint.ts'
import { feature, type Offers } from '../feature.ts'
import type { UpToSocial } from '../social/feature.ts'
import { deleteEndpoint } from './delete-endpoint.ts'
import { createDossier } from './dossier.ts'
import { createErase } from './erase.ts'
import { exportEndpoint } from './export-endpoint.ts'
import { createLeaving } from './leaving.ts'

/** Comes after every feature that keeps something of a user. */
export const accountFeature = feature('account', (house: UpToSocial) => {
  const { settings, http, everyFeature, metrics } = house
  const erase = createErase({ ...house, count: metrics.countDeletion })
  const dossier = createDossier({
    ...house,
    entries: everyFeature.dossier(),
    count: metrics.countExport,
  })
  const leaving = createLeaving({ ...house, erase })
  return {
    offers: { erase, dossier },
    endpoints: tagged('Account', [
      exportEndpoint(dossier),
      ...(settings.ACCOUNT.DELETION ? [deleteEndpoint({ leaving, http })] : []),
    ]),
  }
})

export type UpToAccount = UpToSocial & Offers<typeof accountFeature>
