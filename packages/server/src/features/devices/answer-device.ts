import { Type } from '@sinclair/typebox'
import type { DossierEntry } from '../../core/every-feature.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Devices, Listed } from './devices.ts'

const Time = Type.String({ format: 'date-time' })
const orNull = (schema: typeof Time) => Type.Union([schema, Type.Null()])

const METHODS = ['password', 'registration', 'social', 'passkey', 'code', 'token']

const shown = {
  id: Type.String(),
  method: orNull(Type.String({ enum: METHODS })),
  created_at: Time,
  last_used_at: Time,
  expires_at: orNull(Time),
  address: orNull(Type.String()),
  user_agent: orNull(Type.String({ maxLength: 200 })),
}

export const DevicesReply = Type.Array(Type.Object({ ...shown, current: Type.Boolean() }), {
  $id: 'Logins',
})

export const loginsEntry = ({ listOf }: Devices): DossierEntry => ({
  name: 'logins',
  schema: Type.Array(Type.Object(shown)),
  read: async (user, most) => (await listOf(user, most)).map(answerDevice),
})

/** A login in the answer to its user, and on the command line. */
export const answerDevice = (login: Listed) => ({
  id: login.id,
  method: login.method,
  created_at: isoTime(login.createdAt),
  last_used_at: isoTime(login.lastUsedAt),
  expires_at: login.expiresAt === null ? null : isoTime(login.expiresAt),
  address: login.address,
  user_agent: login.userAgent,
})
