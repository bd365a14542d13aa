import { type Context, feature, type Offers } from '../feature.ts'
import { createAudit } from './audit.ts'
import { knownEvents } from './known-events.ts'

export const auditFeature = feature('audit', ({ db, log, clock }) => {
  const audit = createAudit({ db, log, clock })
  return {
    offers: { audit },
    keeps: {
      known: [knownEvents(audit)],
      erase: (user, tx) => audit.forgetUser(user.id, tx),
    },
    sweeps: [{ table: 'audit_events', forget: audit.forgetOld }],
  }
})

export type UpToAudit = Context & Offers<typeof auditFeature>
