import { feature } from '../feature.ts'
import { createAudit } from './audit.ts'

export const auditFeature = feature('audit', ({ db, log, clock }) => {
  const audit = createAudit({ db, log, clock })
  return { service: audit, sweeps: [{ table: 'audit_events', forget: audit.forgetOld }] }
})
