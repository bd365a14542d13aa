import { feature } from '../feature.ts'
import { authenticateSession } from './authenticate-session.ts'
import { createSessions } from './sessions.ts'

export const sessionsFeature = feature('sessions', ({ db, clock, log, settings, http }) => {
  const sessions = createSessions({ db, clock, log, settings })
  return {
    service: sessions,
    ...(settings.REST_AUTH.SESSION_LOGIN && {
      authenticators: [authenticateSession({ sessions, http })],
      recognise: sessions.identify,
    }),
    worker: sessions.worker,
    keeps: { known: [], erase: (user, tx) => sessions.endAllOf(user.id, tx) },
    sweeps: [{ table: 'logins', forget: sessions.forgetExpired }],
  }
})
