import * as Type from '@sinclair/typebox'
import { bringsAuthorization } from '../../http/authenticate.ts'
import { clearLoginCookies } from '../../http/cookies.ts'
import { type Endpoint, endpoint, type Method, telling } from '../../http/endpoint.ts'
import { code, json, nameFields, password, secret, sessionId } from '../../http/fields.ts'
import { foreignOrigin } from '../../http/refusals.ts'
import type { RequestHead } from '../../http/request.ts'
import { tokenFaults } from '../../kernel/problems.ts'
import { accountOf } from '../limits/limits.ts'
import type { UpToPasskeys } from '../passkeys/feature.ts'
import { RequestOptions, usedPasskeyRefusals } from '../passkeys/passkeys-endpoints.ts'
import type { Exchange } from './answer-login.ts'
import type { Gate } from './gate.ts'
import type { Login, Logout } from './login.ts'

/** The house, and what this feature adds to it. The admin API uses its own parts. */
type Needs<Given> = UpToPasskeys & {
  gate: Gate<Given>
  login: Login<Given>
  exchange: Exchange<Given>
}

const common = { method: 'POST', access: 'opens-session', throttle: 'auth_service' } as const

export const loginEndpoint = <Given>({
  login,
  exchange: { visitorOf, answer, replies, refusals },
}: Needs<Given>) =>
  endpoint({
    ...common,
    path: 'login/',
    operationId: 'login',
    summary: 'Log in with a username or an e-mail address, and a password',
    body: { ...nameFields, password: password() },
    usualFields: ['username', 'password'],
    captcha: {
      on: 'login_after_failures',
      isNeeded: ({ body: { username = '', email = '' }, address }) =>
        login.hasFailedOften({ username, email }, address),
    },
    replies,
    refusals: [
      'identifier_and_password_needed',
      'username_and_password_needed',
      'email_and_password_needed',
      ...refusals,
    ],
    async handle(call) {
      const { username = '', email = '', password } = call.body
      const credentials = { username, email, password }
      return answer(call.reply, await login.withPassword(credentials, visitorOf(call)))
    },
  })

export const mfaVerifyEndpoint = <Given>({ mfa, gate, exchange }: Needs<Given>) =>
  endpoint({
    ...common,
    path: 'mfa/verify/',
    operationId: 'verifyMfa',
    summary: 'Complete a login with a one-time code or a recovery code',
    body: { ephemeral_token: secret(), code: code() },
    replies: exchange.replies,
    refusals: ['ephemeral_token_invalid', 'mfa_code_invalid', ...exchange.refusals],
    async handle(call) {
      const { ephemeral_token, code } = call.body
      const { user, ...met } = await mfa.challenges.meet(ephemeral_token, code, call.address)
      const proof = { ...met, isStrong: true, visitor: exchange.visitorOf(call) }
      return exchange.answer(call.reply, await gate.completeLogin(user, proof))
    },
  })

export const passkeyLoginEndpoints = <Given>({
  passkeys,
  failedLogins,
  gate,
  exchange: { visitorOf, answer, replies, refusals },
}: Needs<Given>): Endpoint[] => [
  endpoint({
    ...common,
    access: 'public',
    limit: 'passkey_begin',
    path: 'passkeys/login/begin/',
    operationId: 'beginPasskeyLogin',
    summary: 'Get the options for `navigator.credentials.get()`, for one user or for anybody',
    body: nameFields,
    usualFields: ['username'],
    replies: { 200: RequestOptions },
    refusals: ['passkeys_not_configured'],
    handle: ({ body: { username = '', email = '' } }) => passkeys.beginLogin({ username, email }),
  }),
  endpoint({
    ...common,
    path: 'passkeys/login/complete/',
    operationId: 'completePasskeyLogin',
    summary: 'Log in with the passkey that the browser used',
    body: { credential: json(), session_id: sessionId() },
    replies,
    refusals: [...usedPasskeyRefusals, ...refusals],
    async handle(call) {
      const { credential, session_id } = call.body
      const { user, ...proved } = await passkeys.completeLogin(credential, session_id)
      // Checked after the proof, so that only the owner learns that the account is locked.
      await failedLogins.refuseIfTooMany({ account: accountOf(user), address: call.address })
      const proof = { method: 'passkey', ...proved, visitor: visitorOf(call) } as const
      return answer(call.reply, await gate.completeLogin(user, proof))
    },
  }),
]

export const csrfEndpoint = ({ http: { csrf } }: Pick<UpToPasskeys, 'http'>) =>
  endpoint({
    method: 'GET',
    path: 'csrf/',
    operationId: 'getCsrfToken',
    summary: 'Get a CSRF token, and its cookie',
    access: 'anyone',
    restricted: ['impersonation', 'mfa_setup'],
    throttle: 'auth_service',
    replies: { 200: Type.Object({ csrf_token: Type.String() }, { $id: 'CsrfToken' }) },
    async handle({ identity, request, reply }) {
      const owner = identity?.adminSession ?? identity?.loginId ?? null
      return { csrf_token: csrf.keepOrRenew(request, reply, owner) }
    },
  })

export function logoutEndpoints(needs: UpToPasskeys & { logout: Logout }): Endpoint[] {
  const { logout, tokenAnswers, http, settings } = needs
  const { cookies, csrf, answerNames: names } = http
  const { USE_JWT, SESSION_LOGIN } = settings.REST_AUTH
  const leavesTokens =
    USE_JWT && !settings.SIMPLE_JWT.TOKEN_BLACKLIST_ENABLED && !tokenAnswers.travelInCookies
  const methods: [Method, string][] = [
    ['POST', 'logout'],
    ...(settings.ACCOUNT.LOGOUT_ON_GET ? [['GET', 'logoutByLink'] as [Method, string]] : []),
  ]

  /** A foreign page must not be able to log a visitor out. */
  const checkOrigin = (request: RequestHead): void => {
    if (tokenAnswers.travelInCookies && !bringsAuthorization(request)) csrf.checkOrigin(request)
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
        await logout(identity, {
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
