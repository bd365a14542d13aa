import type { Identity } from '../../core/identity.ts'
import { digest } from '../../crypto/digest.ts'
import type { SealedBox } from '../../crypto/sealed-box.ts'
import type { Clock } from '../../kernel/clock.ts'
import { problem } from '../../kernel/problems.ts'
import { randomHex } from '../../kernel/random.ts'
import type { Db, Handle, Tx } from '../../storage/handle.ts'
import {
  addTokenIfNone,
  findOwnerOfToken,
  findTokenOfUser,
  removeTokenOfUser,
  replaceToken,
} from './tokens-queries.ts'

export type Tokens = ReturnType<typeof createTokens>

const KEY_BYTES = 20
const KEY_FORM = /^[0-9a-f]{40}$/

type Needs = { db: Db; sealedBox: SealedBox; clock: Clock }

/** The API token: one per user, the same at every login, until logout deletes it. */
export function createTokens({ db, sealedBox, clock }: Needs) {
  return {
    async identify(key: string): Promise<Identity> {
      const user = KEY_FORM.test(key) ? await findOwnerOfToken(db, digest(key)) : undefined
      if (!user) throw problem('invalid_token')
      if (!user.is_active) throw problem('user_inactive_or_deleted')
      return { user, via: 'token', loginId: null }
    },

    async keyOf(userId: number, tx: Tx): Promise<string> {
      const existing = await findTokenOfUser(tx, userId)
      const known = existing && open(existing)
      if (known && !existing.sealed_key.startsWith(sealedBox.prefix)) {
        const sealed_key = sealedBox.seal(known, tokenOwner(userId))
        await replaceToken(tx, existing, { ...existing, sealed_key })
      }
      if (known) return known

      const fresh = newToken(userId)
      if (existing) await replaceToken(tx, existing, fresh)
      else await addTokenIfNone(tx, fresh)
      const winner = await findTokenOfUser(tx, userId)
      const key = winner && open(winner)
      if (!key) throw new Error('A token that was just made cannot be read.')
      return key
    },

    revoke: (userId: number, within: Handle = db) => removeTokenOfUser(within, userId),
  }

  function newToken(userId: number) {
    const key = randomHex(KEY_BYTES)
    return {
      user_id: userId,
      digest: digest(key),
      sealed_key: sealedBox.seal(key, tokenOwner(userId)),
      created_at: clock.now(),
    }
  }

  /** Null if the secret key was replaced and the old one is not a fallback. */
  function open(token: { user_id: number; sealed_key: string }): string | null {
    return sealedBox.open(token.sealed_key, tokenOwner(token.user_id))
  }
}

export const tokenOwner = (userId: number | string): string => `token:${userId}`
