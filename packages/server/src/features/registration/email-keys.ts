import * as Type from '@sinclair/typebox'
import type { DossierEntry } from '../../core/every-feature.ts'
import { Time } from '../../core/schemas.ts'
import { digest } from '../../crypto/digests.ts'
import { DAY, isoTime } from '../../kernel/clock.ts'
import { randomToken } from '../../kernel/random.ts'
import type { Handle, Tx } from '../../storage/handle.ts'
import { deleteRowsOfUser } from '../../storage/rows-of-user.ts'
import type { EmailKey, User } from '../../storage/schema.ts'
import type { Context } from '../feature.ts'
import {
  addKey,
  consumeKey,
  findChangeOfUser,
  findKey,
  listKeysOfUser,
  type Purpose,
  removeChangeOfUser,
} from './email-keys-queries.ts'

export type EmailKeys = ReturnType<typeof createEmailKeys>

/** The user who gets the key. A new epoch voids a change of address. */
type Owner = Pick<User, 'id' | 'epoch'>

const KEY_BYTES = 24

const Confirmation = Type.Object({
  email: Type.String(),
  purpose: Type.String({ enum: ['verify', 'change'] }),
  expires_at: Time,
})

/**
 * The keys in the links that prove an address: only its owner gets the mail. The database stores
 * only digests. A key works for one purpose.
 */
export function createEmailKeys({
  db,
  clock,
  settings,
}: Pick<Context, 'db' | 'clock' | 'settings'>) {
  // Fractions of a day are allowed, fractions of a millisecond are not: times are whole numbers.
  const lifetimeMs = Math.round(settings.ACCOUNT.EMAIL_CONFIRMATION_EXPIRE_DAYS * DAY)

  return {
    find: (purpose: Purpose, key: string, within: Handle = db) =>
      findKey(within, purpose, digest(key), clock.now()),

    /** Of parallel uses of one key exactly one succeeds. */
    consume: (purpose: Purpose, key: string, tx: Tx): Promise<EmailKey | undefined> =>
      consumeKey(tx, purpose, digest(key), clock.now()),

    /** Returns the key. A key that is not mailed is void, but its row shows the pending address. */
    async add(
      purpose: Purpose,
      owner: Owner,
      email: string,
      tx: Tx,
      { isMailed = true } = {},
    ): Promise<string> {
      const key = randomToken(KEY_BYTES)
      await addKey(tx, {
        digest: isMailed ? digest(key) : `unsent:${key}`,
        user_id: owner.id,
        purpose,
        email_key: email,
        epoch: owner.epoch,
        expires_at: clock.now() + lifetimeMs,
      })
      return key
    },

    /** For a letter that is not sent. */
    voidKey: (): string => randomToken(KEY_BYTES),

    /** The change of address that waits for its link. */
    changeOf: ({ id, epoch }: Owner, within: Handle = db) =>
      findChangeOfUser(within, id, epoch, clock.now()),

    /** Returns whether there was one. */
    dropChange: (userId: number, tx: Tx): Promise<boolean> => removeChangeOfUser(tx, userId),

    dropAll: (userId: number, tx: Tx): Promise<void> => deleteRowsOfUser(tx, 'email_keys', userId),

    /** Addresses that wait to be confirmed, newest first. */
    entry: {
      name: 'pending_confirmations',
      schema: Type.Array(Confirmation),
      async read({ id }, most) {
        const keys = await listKeysOfUser(db, id, clock.now(), most)
        return keys.map(({ email_key, purpose, expires_at }) => ({
          email: email_key,
          purpose,
          expires_at: isoTime(expires_at),
        }))
      },
    } satisfies DossierEntry,
  }
}
