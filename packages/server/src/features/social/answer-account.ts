import { Type } from '@sinclair/typebox'
import type { DossierEntry } from '../../core/every-feature.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { SocialAccount } from '../../storage/schema.ts'
import type { Social } from './social.ts'

const shown = {
  id: Type.Integer(),
  provider: Type.String(),
  uid: Type.String(),
  last_login: Type.String({ format: 'date-time' }),
  date_joined: Type.String({ format: 'date-time' }),
}

/** A social account in an answer. */
export const Account = Type.Object(shown, { $id: 'SocialAccount' })

/** What the export says of them. */
export const accountsEntry = ({ list }: Pick<Social, 'list'>): DossierEntry => ({
  name: 'social_accounts',
  schema: Type.Array(Type.Object(shown)),
  read: async (user) => (await list(user)).map(shownAccount),
})

export const shownAccount = (account: SocialAccount) => ({
  id: account.id,
  provider: account.provider,
  uid: account.subject,
  last_login: isoTime(account.last_login_at),
  date_joined: isoTime(account.created_at),
})
