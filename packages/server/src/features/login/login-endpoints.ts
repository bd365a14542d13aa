import type { TSchema } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { type Call, type Endpoint, endpoint, type Refusal } from '../../http/endpoint.ts'
import { code, json, nameFields, password, secret, sessionId } from '../../http/fields.ts'
import { wordsOfHost } from '../../http/refusals.ts'
import { isBefore } from '../../settings/kinds/version.ts'
import { expirationFields } from '../jwt/jwt-endpoints.ts'
import { accountOf } from '../limits/limits.ts'
import type { UpToPasskeys } from '../passkeys/feature.ts'
import { RequestOptions, usedPasskeyRefusals } from '../passkeys/passkeys-endpoints.ts'
import { userDetails } from '../users/answer-user.ts'
import type { Gate, LoginAnswer, Visitor } from './gate.ts'
import type { Login } from './login.ts'

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

export const SecondFactorDue = Type.Object({
  ephemeral_token: Type.String(),
  mfa_required: Type.Literal(true),
})

type Asking = Pick<Call, 'request' | 'turn'>

/** Reads the visitor of a login, and writes its answer. */
export type Exchange<Given> = {
  readonly refusals: readonly Refusal[]
  readonly replies: { 200: TSchema; 204: null }
  visitorOf(call: Asking): Visitor
  answer(reply: FastifyReply, answer: LoginAnswer<Given>): unknown
}

/** Reads the visitor from the request and writes the answer, for every way to log in. */
export function createLoginExchange(house: UpToPasskeys) {
  const { http, host, tokenAnswers, settings, languages } = house
  const { cookies, csrf, answerNames: names } = http
  const details = userDetails(settings)
  // Front ends for dj-rest-auth 2 read the token in the body, although a cookie carries it.
  const hidesRefresh = tokenAnswers.hidesRefresh && !isBefore(settings.REST_AUTH.VERSION, '3')
  const Key = names.schemaOf({ key: Type.String() })
  const pair = { access: Type.String(), refresh: Type.String(), user: details.part }
  const TokenPair = names.schemaOf({ ...pair, ...expirationFields })

  const refusals: readonly Refusal[] = [
    'wrong_credentials',
    'email_not_verified',
    ...(host.signingIn ? [wordsOfHost] : []),
  ]

  return {
    /** The refusals of the gate, for every way to log in. */
    refusals,

    /** The login answer, the same for every way to log in. */
    replies: {
      200: Type.Union([Key, TokenPair, SecondFactorDue], { $id: 'LoginAnswer' }),
      204: null,
    },

    visitorOf: ({ request, turn }: Asking): Visitor => ({
      turn,
      device: http.deviceOf(request),
      language: languages.ofNewUser(request),
      sessionId: cookies.session.read(request),
      refreshToken: cookies.refresh?.read(request),
    }),

    answer(reply: FastifyReply, answer: LoginAnswer, { jwtCookies = true, key = true } = {}) {
      if ('ephemeralToken' in answer) return secondFactorDue(reply, answer)
      const { token, session, jwt } = answer
      if (session) cookies.session.set(reply, session.id)
      if (jwt && jwtCookies) tokenAnswers.setCookies(reply, jwt)
      const needsCsrf = jwtCookies && tokenAnswers.areCsrfProtected
      const csrfOwner = session ?? (needsCsrf ? jwt : null)
      if (csrfOwner) csrf.renew(reply, csrfOwner.loginId)

      if (jwt) {
        const isHidden = jwtCookies && hidesRefresh
        const refresh = isHidden ? '' : jwt.refresh.token
        const expirations = tokenAnswers.expirations(jwt)
        const user = details.of(answer.user)
        return names.renamed({ access: jwt.access.token, refresh, user, ...expirations })
      }
      if (token && key) return names.renamed({ key: token })
      reply.status(204)
      return undefined
    },
  }
}

export function secondFactorDue(reply: FastifyReply, answer: { ephemeralToken: string }) {
  reply.status(200)
  return { ephemeral_token: answer.ephemeralToken, mfa_required: true as const }
}
