import type { Authenticator } from '../../http/authenticate.ts'
import type { HttpTools } from '../../http/tools.ts'
import type { Sessions } from './sessions.ts'

type Needs = { sessions: Sessions; http: HttpTools }

export const authenticateSession = ({ sessions, http }: Needs): Authenticator => ({
  name: 'session',
  cookieNeedsCsrf: true,
  async fromCookie(asking) {
    const sessionId = http.cookies.session.read(asking)
    return sessionId ? sessions.identify(sessionId) : null
  },
})
