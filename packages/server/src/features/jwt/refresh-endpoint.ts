import { Type } from '@sinclair/typebox'
import { endpoint } from '../../http/endpoint.ts'
import type { HttpTools } from '../../http/tools.ts'
import { problem, tokenFaults, tokenNotValid } from '../../kernel/problems.ts'
import { type TokenAnswers, tokenFields } from './answer-tokens.ts'
import type { RefreshTokens } from './refresh-tokens.ts'

const refreshed = { ...tokenFields, refresh: Type.Optional(Type.String()) }

type Needs = { refreshTokens: RefreshTokens; http: HttpTools; answers: TokenAnswers }

export const refreshEndpoint = ({ refreshTokens, http: { cookies, csrf }, answers }: Needs) =>
  endpoint({
    method: 'POST',
    path: 'token/refresh/',
    operationId: 'refreshToken',
    summary: 'Get a new access token for the refresh token in the body or in its cookie',
    access: answers.travelInCookies ? 'opens-session' : 'public',
    throttle: 'auth_service',
    body: answers.names.refreshFields,
    replies: { 200: answers.names.schemaOf(refreshed, { $id: 'Refreshed' }) },
    refusals: [
      'no_refresh_token',
      'no_active_account',
      ...tokenFaults.map((code) => () => tokenNotValid(code)),
    ],
    async handle({ body, request, reply }) {
      const kept = cookies.refresh?.read(request)
      const given = answers.names.refreshIn(body)
      const token = given ?? kept
      if (!token) throw problem('no_refresh_token')
      const { pk, loginId, ...tokens } = await refreshTokens.refresh(token)

      const keptOwner = given && kept ? refreshTokens.ownerOf(kept) : null
      // Cookies of another user in this browser are not overwritten.
      const mayKeep = keptOwner === null || keptOwner === pk
      if (mayKeep) answers.setCookies(reply, tokens)
      if (mayKeep && answers.areCsrfProtected) csrf.keepOrRenew(request, reply, loginId)

      const { access, refresh } = tokens
      const isInBody = refresh && !(answers.hidesRefresh && mayKeep)
      return answers.names.renamed({
        access: access.token,
        ...(isInBody && { refresh: refresh.token }),
        ...answers.expirations(tokens),
      })
    },
  })
