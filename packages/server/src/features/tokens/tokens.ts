import type { Adoptable } from '../../core/adopt.ts'
import { type Identity, NEVER_HERE } from '../../core/identity.ts'
import { createLastUses } from '../../core/last-uses.ts'
import { digest } from '../../crypto/digests.ts'
import { problem } from '../../kernel/problems.ts'
import { randomHex } from '../../kernel/random.ts'
import { givesKeyPerLogin } from '../../settings/authentication-classes.ts'
import type { Handle, Tx } from '../../storage/handle.ts'
import { deleteRowsOf } from '../../storage/rows-of-user.ts'
import type { UpToKeys } from '../keys/feature.ts'
import {
  addToken,
  addTokens,
  changeToken,
  findOwnerOfToken,
  findTokenOfUser,
  hasToken,
  listTokensOf,
  noteUses,
  removeTokenOfUser,
  type Token,
} from './tokens-queries.ts'

export type Tokens = ReturnType<typeof createTokens>

const KEY_BYTES = 20
const KEY_FORM = /^[0-9a-f]{40}$/

const OTHER_FORM = 'its key is not 40 characters of 0-9 and a-f'

type AdoptedToken = { readonly key: string; readonly createdAt: number | null }

/**
 * The API token: one per user, the same at every login, until logout deletes it. With
 * `TOKEN_CREATOR=per_login` each login makes a key of its own instead, which belongs to its row.
 * Keys of both kinds are accepted, so that a change of the setting logs nobody out.
 */
export function createTokens(house: UpToKeys) {
  const { db, sealedBox, clock, log, sessions, requiredFactor, settings } = house
  const { TOKEN_LIFETIME: lifetime } = settings
  const perLogin = givesKeyPerLogin(settings)
  /** Most keys are of the kind that logins make now. */
  const [findFirst, findNext] = perLogin
    ? [sessions.identifyByKey, identifyShared]
    : [identifyShared, sessions.identifyByKey]
  const lastUses = createLastUses({ db, clock, log, noteUses })

  return {
    async identify(key: string): Promise<Identity> {
      if (!KEY_FORM.test(key)) throw problem('invalid_token')
      const keyDigest = digest(key)
      const identity = (await findFirst(keyDigest)) ?? (await findNext(keyDigest))
      if (!identity) throw problem('invalid_token')
      if (!identity.user.is_active) throw problem('user_inactive_or_deleted')
      return identity
    },

    /** Whether each login makes a key of its own (`sessions.giveKey`). */
    perLogin,

    /**
     * Returns the key that all logins of the user share. This login makes it fresh. The transaction
     * holds the user's row. Only a logout and the sweep delete a token without that lock.
     */
    async keyOf(userId: number, tx: Tx): Promise<string> {
      const existing = await findTokenOfUser(tx, userId)
      if (existing && !hasExpired(existing)) {
        const shared = open(existing)
        const sealed_key = sealedBox.resealed(existing.sealed_key, tokenOwner(userId))
        const renewed = { sealed_key, authenticated_at: clock.now() }
        if (shared === null) {
          log.error({ user: userId }, 'an API token cannot be read; this login gets a new one')
        } else if (await changeToken(tx, existing.digest, renewed)) return shared
      }
      const key = randomHex(KEY_BYTES)
      if (existing) await removeTokenOfUser(tx, userId)
      await addToken(tx, rowOf(key, userId))
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
      const isDone = tokenDigest !== undefined && (await changeToken(tx, tokenDigest, token))
      return isDone ? key : null
    },

    /** Undefined if the credential is not the key that all logins share. */
    stillValid: ({ tokenDigest }: Identity, tx: Tx): Promise<boolean> | undefined =>
      tokenDigest === undefined ? undefined : hasToken(tx, tokenDigest),

    /** The user has proved again who they are. Returns false if the token is gone. */
    makeFresh: (tokenDigest: string, tx: Tx): Promise<boolean> =>
      changeToken(tx, tokenDigest, { authenticated_at: clock.now() }),

    /** Undefined if the user has none, or it has expired. */
    async ofUser(userId: number) {
      await lastUses.flush()
      const token = await findTokenOfUser(db, userId)
      return token && !hasExpired(token) ? { ...token, expires_at: endOf(token) } : undefined
    },

    /** Writes when tokens were last used. */
    worker: lastUses.worker,

    /** Tokens of another service keep their keys. */
    adopt: {
      marks: async (userIds, tx) =>
        new Map((await listTokensOf(tx, userIds)).map((row) => [row.user_id, row.digest])),

      async put(brought, tx) {
        const userIds = brought.map(({ userId }) => userId)
        await deleteRowsOf(tx, 'tokens', userIds)
        const held = brought.flatMap(({ userId, given }) => (given ? [{ userId, ...given }] : []))
        const fitting = held.filter(({ key }) => KEY_FORM.test(key))
        const rows = fitting.map(({ userId, key, createdAt }) => ({
          ...rowOf(key, userId),
          created_at: createdAt ?? 0,
          authenticated_at: NEVER_HERE,
        }))
        if (rows.length > 0) await addTokens(tx, rows)
        const others = held.filter(({ key }) => !KEY_FORM.test(key))
        return others.map(({ userId }) => ({ userId, what: 'API token', why: OTHER_FORM }))
      },
    } satisfies Adoptable<AdoptedToken | null>,

    /** Returns whether the user had a token. */
    revoke: (userId: number, within: Handle = db) => removeTokenOfUser(within, userId),
  }

  /** The owner of a key that all logins of a user share. */
  async function identifyShared(tokenDigest: string): Promise<Identity | null> {
    const found = await findOwnerOfToken(db, requiredFactor, tokenDigest)
    if (!found) return null
    const { token_created_at: created_at, token_authenticated_at: authenticatedAt } = found
    if (hasExpired({ created_at })) return null
    lastUses.note(found.id, found.token_last_used_at)
    const expiresAt = endOf({ created_at })
    const identity: Identity = {
      user: found,
      via: 'token',
      loginId: null,
      tokenDigest,
      authenticatedAt,
      expiresAt,
    }
    // Logins of all kinds share the key, so a verified passkey does not count.
    return requiredFactor.restricted(identity)
  }

  function endOf({ created_at }: Pick<Token, 'created_at'>): number | null {
    return lifetime === null ? null : created_at + lifetime
  }

  function hasExpired(token: Pick<Token, 'created_at'>): boolean {
    const end = endOf(token)
    return end !== null && end <= clock.now()
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
