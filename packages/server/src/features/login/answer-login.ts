import type { TSchema } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { Call, Refusal } from '../../http/endpoint.ts'
import { wordsOfHost } from '../../http/refusals.ts'
import { isBefore } from '../../settings/kinds/version.ts'
import { expirationFields } from '../jwt/jwt-endpoints.ts'
import type { UpToPasskeys } from '../passkeys/feature.ts'
import { userDetails } from '../users/answer-user.ts'
import type { LoginAnswer, Visitor } from './gate.ts'

export const SecondFactorDue = Type.Object({
  ephemeral_token: Type.String(),
  mfa_required: Type.Literal(true),
})

type Asking = Pick<Call, 'request' | 'address' | 'gone'>

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

    visitorOf: ({ request, address, gone }: Asking): Visitor => ({
      address,
      device: http.deviceOf(request),
      language: languages.ofNewUser(request),
      gone,
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
