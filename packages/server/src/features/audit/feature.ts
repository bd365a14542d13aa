import { pkOf } from '../../core/identity.ts'
import { DAY } from '../../kernel/clock.ts'
import { type Context, feature, type Offers } from '../feature.ts'
import { createAudit, historyEntry } from './audit.ts'

export const auditFeature = feature(({ db, log, clock, settings }) => {
  const audit = createAudit({ db, log, clock })
  return {
    offers: { audit },
    keeps: {
      dossier: [historyEntry(audit)],
      rows: ['audit_events'],
      erase: (user, tx) => audit.forgetOperator(pkOf(user), tx),
    },
    sweeps: [
      { table: 'audit_events', key: 'id', time: 'at', keepFor: settings.AUDIT_KEEP_DAYS * DAY },
    ],
  }
})

export type UpToAudit = Context & Offers<typeof auditFeature>
