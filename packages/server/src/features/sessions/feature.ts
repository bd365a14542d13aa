import type { UpToEvents } from '../events/feature.ts'
import { feature, type Offers } from '../feature.ts'
import { authenticateSession } from './authenticate-session.ts'
import { createSessions } from './sessions.ts'

export const sessionsFeature = feature('sessions', ({ db, clock, log, settings, http }) => {
  const sessions = createSessions({ db, clock, log, settings })
  return {
    offers: { sessions },
    ...(settings.REST_AUTH.SESSION_LOGIN && {
      authenticators: [authenticateSession({ sessions, http })],
      recognise: sessions.identify,
    }),
    worker: sessions.worker,
    keeps: { erase: (user, tx) => sessions.endAllOf(user.id, tx) },
    sweeps: [{ table: 'logins', key: 'id', time: 'expires_at' }],
  }
})

export type UpToSessions = UpToEvents & Offers<typeof sessionsFeature>
