import { endpoint } from '../../http/endpoint.ts'
import { answerStatus, Status } from './answer-status.ts'
import type { Mfa } from './mfa.ts'

export const statusEndpoint = (mfa: Mfa) =>
  endpoint({
    method: 'GET',
    path: 'mfa/status/',
    operationId: 'getMfaStatus',
    summary: 'Get whether MFA is on, since when, and how many recovery codes are left',
    access: 'signed-in',
    freshness: 'not-needed',
    throttle: 'auth_service',
    replies: { 200: Status },
    handle: ({ identity }) => answerStatus(mfa, identity.user.id),
  })
