import { feature, type Offers } from '../feature.ts'
import type { UpToSessions } from '../sessions/feature.ts'
import { createAdminKeys } from './admin-keys.ts'
import { createAdminSessions } from './admin-sessions.ts'
import { createOperatorPasskey } from './operator-passkey.ts'

/** The credentials of the admin API, sessions of people and keys of programs, and what guards them. */
export const operatorsFeature = feature((house: UpToSessions) => {
  const adminSessions = createAdminSessions(house)
  return {
    offers: {
      adminSessions,
      adminKeys: createAdminKeys(house),
      operatorPasskey: createOperatorPasskey(house),
    },
    stillValid: ({ adminSession }, tx) =>
      adminSession === undefined ? undefined : adminSessions.isThere(adminSession, tx),
    keeps: { rows: ['admin_sessions'] },
    sweeps: [{ table: 'admin_sessions', key: 'digest', time: 'expires_at' }],
  }
})

export type UpToOperators = UpToSessions & Offers<typeof operatorsFeature>
