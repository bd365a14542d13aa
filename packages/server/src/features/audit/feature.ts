import { feature } from '../feature.ts'
import { createAudit } from './audit.ts'
import { knownEvents } from './known-events.ts'

export const auditFeature = feature('audit', ({ db, log, clock }) => {
  const audit = createAudit({ db, log, clock })
  return {
    service: audit,
    keeps: {
      known: [knownEvents(audit)],
      erase: (user, tx) => audit.forgetUser(user.id, tx),
    },
    sweeps: [{ table: 'audit_events', forget: audit.forgetOld }],
  }
})
