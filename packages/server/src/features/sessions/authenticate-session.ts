import type { Authenticator } from '../../http/authenticate.ts'
import type { Cookies } from '../../http/cookies.ts'
import type { Sessions } from './sessions.ts'

export const authenticateSession = (sessions: Sessions, cookies: Cookies): Authenticator => ({
  name: 'session',
  cookieNeedsCsrf: true,
  async fromCookie(request) {
    const sessionId = cookies.session.read(request)
    return sessionId ? sessions.identify(sessionId) : null
  },
})
