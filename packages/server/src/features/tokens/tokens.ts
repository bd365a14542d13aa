import { type Identity, NEVER_HERE } from '../../core/identity.ts'
import { createLastUses } from '../../core/last-uses.ts'
import { digest } from '../../crypto/digests.ts'
import { problem } from '../../kernel/problems.ts'
import { randomHex } from '../../kernel/random.ts'
import type { Handle, Tx } from '../../storage/handle.ts'
import type { Context } from '../feature.ts'
import {
  addTokenIfNone,
  addTokens,
  findOwnerOfToken,
  findTokenOfUser,
  listTokensOf,
  makeFresh,
  noteUses,
  removeTokenOfUser,
  removeTokensOf,
  replaceToken,
  type Token,
} from './tokens-queries.ts'

export type Tokens = ReturnType<typeof createTokens>

const KEY_BYTES = 20
const KEY_FORM = /^[0-9a-f]{40}$/

export type KeyOwner = { userId: number; key: string; createdAt: number }

/** The API token: one per user, the same at every login, until logout deletes it. */
export function createTokens({
  db,
  sealedBox,
  clock,
  log,
}: Pick<Context, 'db' | 'sealedBox' | 'clock' | 'log'>) {
  const lastUses = createLastUses({
    clock,
    log,
    write: (at, userIds) => noteUses(db, at, ...userIds),
  })

  return {
    async identify(key: string): Promise<Identity> {
      if (!KEY_FORM.test(key)) throw problem('invalid_token')
      const tokenDigest = digest(key)
      const found = await findOwnerOfToken(db, tokenDigest)
      if (!found) throw problem('invalid_token')
      if (!found.is_active) throw problem('user_inactive_or_deleted')
      const { token_last_used_at, token_authenticated_at: authenticatedAt } = found
      lastUses.note(found.id, token_last_used_at)
      return {
        user: found,
        via: 'token',
        loginId: null,
        tokenDigest,
        authenticatedAt,
        expiresAt: null,
      }
    },

    /** Returns the key for a login, which makes the token fresh. */
    async keyOf(userId: number, tx: Tx): Promise<string> {
      const existing = await findTokenOfUser(tx, userId)
      const readable = existing && open(existing)
      if (readable) {
        const isCurrent = existing.sealed_key.startsWith(sealedBox.prefix)
        const sealed_key = isCurrent
          ? existing.sealed_key
          : sealedBox.seal(readable, tokenOwner(userId))
        await replaceToken(tx, existing.digest, { sealed_key, authenticated_at: clock.now() })
        return readable
      }

      const fresh = rowOf(randomHex(KEY_BYTES), userId)
      if (existing) {
        log.error({ user: userId }, 'an API token cannot be read; this login gets a new one')
        await replaceToken(tx, existing.digest, fresh)
      } else {
        await addTokenIfNone(tx, fresh)
      }
      const winner = await findTokenOfUser(tx, userId)
      const key = winner && open(winner)
      if (!key) throw new Error('A token that was just made cannot be read.')
      return key
    },

    /**
     * Gives the token of the request a new key and returns it. Returns null if the token was revoked
     * in the meantime.
     */
    async replace(
      { user, tokenDigest, authenticatedAt }: Identity,
      tx: Tx,
    ): Promise<string | null> {
      const key = randomHex(KEY_BYTES)
      const token = { ...rowOf(key, user.id), authenticated_at: authenticatedAt }
      const isDone = tokenDigest !== undefined && (await replaceToken(tx, tokenDigest, token))
      return isDone ? key : null
    },

    /** The user has proved again who they are. Returns false if the token is gone. */
    makeFresh: (tokenDigest: string): Promise<boolean> => makeFresh(db, tokenDigest, clock.now()),

    async ofUser(userId: number): Promise<Token | undefined> {
      await lastUses.flush()
      return findTokenOfUser(db, userId)
    },

    /** Writes when tokens were last used. */
    worker: lastUses.worker,

    /** Whether the text has the form of a key. */
    isKey: (text: string): boolean => KEY_FORM.test(text),

    /** Adds keys that users have from another service. */
    async adopt(owners: readonly KeyOwner[], tx: Tx): Promise<void> {
      const rows = owners.map(({ userId, key, createdAt: created_at }) => ({
        ...rowOf(key, userId),
        created_at,
        authenticated_at: NEVER_HERE,
      }))
      if (rows.length > 0) await addTokens(tx, rows)
    },

    digestsOf: (userIds: readonly number[], tx: Tx) => listTokensOf(tx, userIds),

    /** Returns whether the user had a token. */
    revoke: (userId: number, within: Handle = db) => removeTokenOfUser(within, userId),

    revokeAll: (userIds: readonly number[], tx: Tx) => removeTokensOf(tx, userIds),
  }

  function rowOf(key: string, userId: number): Token {
    const now = clock.now()
    return {
      user_id: userId,
      digest: digest(key),
      sealed_key: sealedBox.seal(key, tokenOwner(userId)),
      created_at: now,
      last_used_at: now,
      authenticated_at: now,
    }
  }

  /** Returns null if it was sealed with a key that is gone. */
  function open(token: { user_id: number; sealed_key: string }): string | null {
    return sealedBox.open(token.sealed_key, tokenOwner(token.user_id))
  }
}

export const tokenOwner = (userId: number | string): string => `token:${userId}`
