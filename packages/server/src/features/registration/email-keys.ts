import { digest } from '../../crypto/digests.ts'
import { type Clock, DAY } from '../../kernel/clock.ts'
import { randomToken } from '../../kernel/random.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Db, Handle, Tx } from '../../storage/handle.ts'
import type { EmailKey, User } from '../../storage/schema.ts'
import {
  addKey,
  consumeKey,
  findChangeOfUser,
  findKey,
  listKeysOfUser,
  type Purpose,
  removeChangeOfUser,
  removeKeysOfUser,
} from './email-keys-queries.ts'

export type EmailKeys = ReturnType<typeof createEmailKeys>

/** Whose key it is. Its epoch is part of what voids a change. */
type Owner = Pick<User, 'id' | 'epoch'>

type Needs = { db: Db; clock: Clock; settings: Pick<Settings, 'ACCOUNT'> }

const KEY_BYTES = 24

/**
 * The keys in the links that prove an address: only its owner gets the mail. The database stores
 * only a digest, and a key of one purpose is nothing to another.
 */
export function createEmailKeys({ db, clock, settings }: Needs) {
  // Fractions of a day are allowed, fractions of a millisecond are not: times are whole numbers.
  const lifetimeMs = Math.round(settings.ACCOUNT.EMAIL_CONFIRMATION_EXPIRE_DAYS * DAY)

  const find = (purpose: Purpose, key: string, within: Handle = db) =>
    findKey(within, purpose, digest(key), clock.now())

  const consume = (purpose: Purpose, key: string, tx: Tx): Promise<EmailKey | undefined> =>
    consumeKey(tx, purpose, digest(key), clock.now())

  return {
    find,

    /** Of parallel uses of one key exactly one succeeds. */
    consume,

    /** Returns the key. One that is not mailed is void, and only shows what was asked for. */
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

    /** Returns a key that nobody has, after as many statements as `add`. */
    async pretend(purpose: Purpose, tx: Tx): Promise<string> {
      const key = randomToken(KEY_BYTES)
      await consume(purpose, key, tx)
      return key
    },

    /** The change of address that waits for its link. */
    changeOf: ({ id, epoch }: Owner, within: Handle = db) =>
      findChangeOfUser(within, id, epoch, clock.now()),

    /** Returns whether there was one. */
    dropChange: (userId: number, tx: Tx): Promise<boolean> => removeChangeOfUser(tx, userId),

    dropAll: (userId: number, tx: Tx): Promise<void> => removeKeysOfUser(tx, userId),

    /** The links that were mailed and still work, newest first. */
    pendingOf: (userId: number, most: number) => listKeysOfUser(db, userId, clock.now(), most),
  }
}
