import { Type } from '@sinclair/typebox'
import type { Known } from '../../core/every-feature.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Passkey } from '../../storage/schema.ts'
import type { Passkeys } from './passkeys.ts'
import { transportsOf } from './transports.ts'

const shown = {
  id: Type.Integer(),
  name: Type.String(),
  credential_id: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  last_used_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  transports: Type.Array(Type.String()),
  discoverable: Type.Boolean(),
}

export const PasskeyReply = Type.Object(shown, { $id: 'Passkey' })
export const PasskeysReply = Type.Array(Type.Object(shown), { $id: 'Passkeys' })

/** What the export says of them. */
export const knownPasskeys = ({ list }: Pick<Passkeys, 'list'>): Known => ({
  name: 'passkeys',
  schema: Type.Array(Type.Object(shown)),
  read: async (user) => (await list(user)).map(answerPasskey),
})

/** A passkey in the answer to its owner. */
export const answerPasskey = (passkey: Passkey) => ({
  id: passkey.id,
  name: passkey.name,
  credential_id: passkey.credential_id,
  created_at: isoTime(passkey.created_at),
  last_used_at: passkey.last_used_at === null ? null : isoTime(passkey.last_used_at),
  transports: transportsOf(passkey),
  discoverable: passkey.discoverable === 1,
})
