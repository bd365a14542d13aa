import { Type } from '@sinclair/typebox'
import { endpoint } from '../../http/endpoint.ts'
import { secret } from '../../http/fields.ts'
import { tokenFaults, tokenNotValid } from '../../kernel/problems.ts'
import type { RefreshTokens } from './refresh-tokens.ts'

export const verifyEndpoint = (refreshTokens: RefreshTokens) =>
  endpoint({
    method: 'POST',
    path: 'token/verify/',
    operationId: 'verifyToken',
    summary: 'Check whether a JSON Web Token is valid',
    access: 'public',
    throttle: 'auth_service',
    body: { token: secret() },
    replies: { 200: Type.Object({}, { $id: 'Nothing' }) },
    refusals: tokenFaults.map((code) => () => tokenNotValid(code)),
    async handle({ body }) {
      await refreshTokens.verify(body.token)
      return {}
    },
  })
