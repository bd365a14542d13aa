import { Type } from '@sinclair/typebox'
import { endpoint } from '../../http/endpoint.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Mfa } from './mfa.ts'

const Time = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])

const Status = Type.Object(
  {
    mfa_enabled: Type.Boolean(),
    created_at: Time,
    last_used_at: Time,
    recovery_codes_left: Type.Integer(),
  },
  { $id: 'MfaStatus' },
)

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
    async handle({ identity }) {
      const { authenticator, codesLeft } = await mfa.status(identity.user.id)
      return {
        mfa_enabled: authenticator !== undefined,
        created_at: iso(authenticator?.created_at),
        last_used_at: iso(authenticator?.last_used_at),
        recovery_codes_left: codesLeft,
      }
    },
  })

const iso = (time: number | null | undefined): string | null =>
  time == null ? null : isoTime(time)
