import { tagged } from '../../http/endpoint.ts'
import type { Audit } from '../audit/audit.ts'
import type { Events } from '../events/events.ts'
import { feature } from '../feature.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Mfa } from '../mfa/mfa.ts'
import type { OwnPassword } from '../passwords/own-password.ts'
import type { Users } from '../users/users.ts'
import { deleteEndpoint } from './delete-endpoint.ts'
import { createDossier } from './dossier.ts'
import { createErase } from './erase.ts'
import { exportEndpoint } from './export-endpoint.ts'
import { createLeaving } from './leaving.ts'

type Earlier = {
  audit: Audit
  outbox: Outbox
  events: Events
  users: Users
  ownPassword: OwnPassword
  mfa: Mfa
}

/** Comes after every feature that keeps something of a user. */
export const accountFeature = feature('account', (context, earlier: Earlier) => {
  const { settings, http, everyFeature, metrics } = context
  const needs = { ...context, ...earlier }
  const erase = createErase({ ...needs, count: metrics.countDeletion })
  const known = everyFeature.known()
  const dossier = createDossier({ ...needs, known, count: metrics.countExport })
  const leaving = createLeaving({ ...needs, erase })
  return {
    service: { erase, dossier },
    endpoints: tagged('Account', [
      exportEndpoint(dossier),
      ...(settings.ACCOUNT.DELETION ? [deleteEndpoint({ leaving, http })] : []),
    ]),
  }
})
