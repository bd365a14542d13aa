import { digest } from '../../crypto/digest.ts'
import type { SealedBox } from '../../crypto/sealed-box.ts'
import type { Clock } from '../../kernel/clock.ts'
import { randomHex } from '../../kernel/random.ts'
import { problem } from '../../problems.ts'
import type { Identity } from '../users/identity.ts'
import type { TokensStore } from './tokens-store.ts'

export type Tokens = ReturnType<typeof createTokens>

const KEY_BYTES = 20
const KEY_FORM = /^[0-9a-f]{40}$/

/** The API token: one per user, the same at every login, until logout deletes it. */
export function createTokens(store: TokensStore, sealedBox: SealedBox, clock: Clock) {
  return {
    async identify(key: string): Promise<Identity> {
      const user = KEY_FORM.test(key) ? await store.findOwner(digest(key)) : undefined
      if (!user) throw problem('invalid_token')
      if (!user.is_active) throw problem('user_inactive_or_deleted')
      return { user, via: 'token', loginId: null }
    },

    /** Over the stores of the login's transaction, if there is one. */
    async keyOf(userId: number, within: TokensStore = store): Promise<string> {
      const existing = await within.findOfUser(userId)
      const known = existing && open(existing)
      if (known && !existing.sealed_key.startsWith(sealedBox.prefix)) {
        const sealed_key = sealedBox.seal(known, tokenOwner(userId))
        await within.replace(existing, { ...existing, sealed_key })
      }
      if (known) return known

      const fresh = newToken(userId)
      if (existing) await within.replace(existing, fresh)
      else await within.addIfNone(fresh)
      const winner = await within.findOfUser(userId)
      const key = winner && open(winner)
      if (!key) throw new Error('A token that was just made cannot be read.')
      return key
    },

    revoke: (userId: number, within: TokensStore = store) => within.removeOfUser(userId),
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

  /** Null after the secret key was replaced without keeping the old one as a fallback. */
  function open(token: { user_id: number; sealed_key: string }): string | null {
    return sealedBox.open(token.sealed_key, tokenOwner(token.user_id))
  }
}

export const tokenOwner = (userId: number): string => `token:${userId}`
