import { Type } from '@sinclair/typebox'
import type { DossierEntry } from '../../core/every-feature.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { EmailKeys } from './email-keys.ts'

const Confirmation = Type.Object({
  email: Type.String(),
  purpose: Type.String({ enum: ['verify', 'change'] }),
  expires_at: Type.String({ format: 'date-time', examples: ['2030-01-04T12:00:00.000Z'] }),
})

/** Addresses that wait to be confirmed. */
export const confirmationsEntry = ({ pendingOf }: EmailKeys): DossierEntry => ({
  name: 'pending_confirmations',
  schema: Type.Array(Confirmation),
  async read({ id }, most) {
    const keys = await pendingOf(id, most)
    return keys.map(({ email_key, purpose, expires_at }) => ({
      email: email_key,
      purpose,
      expires_at: isoTime(expires_at),
    }))
  },
})
