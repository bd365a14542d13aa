import type { UpToEvents } from '../events/feature.ts'
import { feature, type Offers } from '../feature.ts'
import { createSessions } from './sessions.ts'

export const sessionsFeature = feature((house: UpToEvents) => {
  const { settings, http } = house
  const sessions = createSessions(house)
  return {
    offers: { sessions },
    ...(settings.REST_AUTH.SESSION_LOGIN && {
      authenticators: [
        {
          name: 'session',
          cookieNeedsCsrf: true,
          fromCookie(asking) {
            const sessionId = http.cookies.session.read(asking)
            return sessionId ? sessions.identify(sessionId) : null
          },
        },
      ],
      recognise: sessions.identify,
    }),
    stillValid: sessions.stillValid,
    worker: sessions.worker,
    keeps: {
      rows: ['logins', 'impersonations'],
      erase: (user, tx) => sessions.impersonations.endAllBy(user.id, tx),
    },
    sweeps: [
      { table: 'logins', key: 'id', time: 'expires_at' },
      { table: 'impersonations', forget: sessions.impersonations.sweep },
    ],
  }
})

export type UpToSessions = UpToEvents & Offers<typeof sessionsFeature>
