import { feature } from '../feature.ts'
import { authenticateSession } from './authenticate-session.ts'
import { createSessions } from './sessions.ts'

export const sessionsFeature = feature('sessions', ({ db, clock, settings, http }) => {
  const sessions = createSessions({ db, clock, settings })
  return {
    service: sessions,
    authenticators: settings.REST_AUTH.SESSION_LOGIN
      ? [authenticateSession({ sessions, http })]
      : [],
    sweeps: [{ table: 'logins', forget: sessions.forgetExpired }],
  }
})
