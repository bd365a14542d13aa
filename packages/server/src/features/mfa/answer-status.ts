import { Type } from '@sinclair/typebox'
import type { Known } from '../../core/every-feature.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Mfa } from './mfa.ts'

const Time = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])

const shown = {
  mfa_enabled: Type.Boolean(),
  created_at: Time,
  last_used_at: Time,
  recovery_codes_left: Type.Integer(),
}

export const Status = Type.Object(shown, { $id: 'MfaStatus' })

export async function answerStatus(mfa: Mfa, userId: number) {
  const { authenticator, codesLeft } = await mfa.status(userId)
  return {
    mfa_enabled: authenticator !== undefined,
    created_at: iso(authenticator?.created_at),
    last_used_at: iso(authenticator?.last_used_at),
    recovery_codes_left: codesLeft,
  }
}

/** That there is a second factor, without its secret and its codes. */
export const knownStatus = (mfa: Mfa): Known => ({
  name: 'second_factor',
  schema: Type.Object(shown),
  read: ({ id }) => answerStatus(mfa, id),
})

const iso = (time: number | null | undefined): string | null =>
  time == null ? null : isoTime(time)
