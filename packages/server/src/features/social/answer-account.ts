import { Type } from '@sinclair/typebox'
import { isoTime } from '../../kernel/clock.ts'
import type { SocialAccount } from '../../storage/schema.ts'

/** A social account in an answer. */
export const Account = Type.Object(
  {
    id: Type.Integer(),
    provider: Type.String(),
    uid: Type.String(),
    last_login: Type.String({ format: 'date-time' }),
    date_joined: Type.String({ format: 'date-time' }),
  },
  { $id: 'SocialAccount' },
)

export const shownAccount = (account: SocialAccount) => ({
  id: account.id,
  provider: account.provider,
  uid: account.subject,
  last_login: isoTime(account.last_login_at),
  date_joined: isoTime(account.created_at),
})
