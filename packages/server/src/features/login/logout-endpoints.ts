import type { FastifyRequest } from 'fastify'
import { type Identity, impersonationIn, isSharedKey, pkOf } from '../../core/identity.ts'
import { headerIn } from '../../http/authenticate.ts'
import { clearLoginCookies } from '../../http/cookies.ts'
import { type Endpoint, endpoint, type Method, telling } from '../../http/endpoint.ts'
import { foreignOrigin } from '../../http/refusals.ts'
import type { RequestHead } from '../../http/request.ts'
import { nullIfRefused, problem, tokenFaults } from '../../kernel/problems.ts'
import { authenticationClasses } from '../../settings/authentication-classes.ts'
import type { UpToPasskeys } from '../passkeys/feature.ts'

/** The other credentials in the request, besides the one that identifies the user. */
type Carried = {
  /** The refresh token in the body. */
  refresh: string | undefined
  refreshCookie: string | undefined
  sessionId: string | undefined
}

/** Ends every credential in the request that belongs to the user, and nothing of another user. */
function createLogout({ tokens, sessions, refreshTokens, settings }: UpToPasskeys) {
  const { USE_JWT, SESSION_LOGIN } = settings.REST_AUTH

  return async (identity: Identity | null, carried: Carried): Promise<void> => {
    if (!identity && !USE_JWT && !SESSION_LOGIN) throw problem('not_logged_in')
    if (identity && impersonationIn(identity)) return leave(identity)

    const { refreshCookie: kept, sessionId } = carried
    const given = USE_JWT ? carried.refresh : undefined
    const fault = given ? await refreshTokens.end(given) : null
    // The cookie is cleared anyway, so its token ends too, even if the body has another.
    const owner = identity ? pkOf(identity.user) : refreshTokens.ownerOf(given ?? '')
    if (kept) await refreshTokens.endKept(kept, owner)
    if (identity?.via === 'jwt' && identity.loginId !== null) {
      await refreshTokens.endLogin(identity.loginId)
    }
    if (sessionId) await endSession(sessionId, identity)
    if (identity) await endKey(identity)
    // Thrown last: a bad refresh token must not keep the other credentials alive.
    if (fault) throw problem(fault)
  }

  /** An operator stops using the account. The token of the user is left alone. */
  async function leave({ loginId }: Identity): Promise<void> {
    if (loginId !== null) await sessions.impersonations.leave(loginId)
  }

  /** Of several keys, only the one in the request ends. A key of a login ends with its login. */
  async function endKey(identity: Identity): Promise<void> {
    const { user, via, loginId } = identity
    if (via === 'token' && loginId !== null) await sessions.endLogin(loginId)
    else if (!tokens.perLogin || isSharedKey(identity)) await tokens.revoke(user.id)
  }

  /** A session of another user that came along with a token is left alone. */
  async function endSession(sessionId: string, identity: Identity | null): Promise<void> {
    const owner = await sessions.identify(sessionId)
    if (owner?.user.id === identity?.user.id) await sessions.end(sessionId)
  }
}

/** Schemes that browsers add to the requests of any page, once the server or a proxy has asked. */
const SENT_BY_BROWSERS: readonly string[] = ['basic', 'digest', 'negotiate', 'ntlm']

export function logoutEndpoints(house: UpToPasskeys): Endpoint[] {
  const { tokenAnswers, http, everyFeature, settings } = house
  const logout = createLogout(house)
  const { cookies, csrf, answerNames: names } = http
  const { USE_JWT, SESSION_LOGIN } = settings.REST_AUTH
  const classes = authenticationClasses(settings)
  /** The cookies that authenticate requests. */
  const signingIn = [
    { via: 'jwt', cookie: cookies.access, needsCsrf: tokenAnswers.areCsrfProtected },
    { via: 'session', cookie: cookies.session, needsCsrf: true },
  ].filter(({ via }) => classes.some((name) => name === via))
  const leavesTokens =
    USE_JWT && !settings.SIMPLE_JWT.TOKEN_BLACKLIST_ENABLED && !tokenAnswers.travelInCookies
  const methods: [Method, string][] = [
    ['POST', 'logout'],
    ...(settings.ACCOUNT.LOGOUT_ON_GET ? [['GET', 'logoutByLink'] as [Method, string]] : []),
  ]

  /**
   * A foreign page must not be able to log a visitor out. It cannot send a header with another scheme
   * unless CORS allows it.
   */
  function checkOrigin(request: RequestHead): void {
    const sent = headerIn(request)
    if (sent && !SENT_BY_BROWSERS.includes(sent.scheme)) return
    const clearsSession = sent && cookies.session.read(request)
    if (tokenAnswers.travelInCookies || clearsSession) csrf.checkOrigin(request)
  }

  /**
   * The owner of a cookie that came along with a header that is no credential, such as `Basic` of a
   * proxy. Their login must end, too, but only if the request passes the CSRF check of that cookie.
   */
  async function besideHeader(request: FastifyRequest): Promise<Identity | null> {
    if (!headerIn(request)) return null
    for (const { via, cookie, needsCsrf } of signingIn) {
      const credential = cookie?.read(request)
      const owner = credential ? await everyFeature.recognise(credential) : null
      if (owner?.via !== via) continue
      try {
        if (needsCsrf) csrf.check(request, owner.loginId, (check) => check(request.body))
        else csrf.checkOrigin(request)
        return owner
      } catch (error) {
        nullIfRefused(error)
      }
    }
    return null
  }

  return methods.map(([method, operationId]) =>
    endpoint({
      method,
      path: 'logout/',
      operationId,
      summary: 'Log out: end the token, the session and the refresh token',
      access: 'if-signed-in',
      restricted: ['impersonation', 'mfa_setup'],
      throttle: 'auth_service',
      body: USE_JWT ? names.refreshFields : {},
      replies: { 200: telling('logged_out') },
      refusals: [
        ...(USE_JWT ? tokenFaults : []),
        ...(USE_JWT || SESSION_LOGIN ? [] : ['not_logged_in' as const]),
        ...(tokenAnswers.travelInCookies && method !== 'GET' ? [foreignOrigin] : []),
      ],
      async handle({ identity, body, request, reply, say }) {
        checkOrigin(request)
        await logout(identity ?? (await besideHeader(request)), {
          refresh: names.refreshIn(body),
          refreshCookie: cookies.refresh?.read(request),
          sessionId: cookies.session.read(request),
        })
        clearLoginCookies(cookies, request, reply)
        return { detail: say(leavesTokens ? 'token_left' : 'logged_out') }
      },
      // Even if the token or the body is refused, the cookies are cleared: the front end shows its
      // user as logged out.
      onRefusal({ refusal, request, reply }) {
        if (![400, 401, 415].includes(refusal.status)) return
        checkOrigin(request)
        clearLoginCookies(cookies, request, reply)
      },
    }),
  )
}
