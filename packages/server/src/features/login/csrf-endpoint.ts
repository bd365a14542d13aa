import { Type } from '@sinclair/typebox'
import type { Csrf } from '../../http/csrf.ts'
import { endpoint } from '../../http/endpoint.ts'

export const csrfEndpoint = (csrf: Csrf) =>
  endpoint({
    method: 'GET',
    path: 'csrf/',
    operationId: 'getCsrfToken',
    summary: 'Get a CSRF token, and its cookie',
    access: 'anyone',
    throttle: 'auth_service',
    replies: { 200: Type.Object({ csrf_token: Type.String() }, { $id: 'CsrfToken' }) },
    handle: async ({ identity, request, reply }) => ({
      csrf_token: csrf.keepOrRenew(request, reply, identity?.loginId ?? null),
    }),
  })
