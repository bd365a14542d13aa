import { digest } from '../../crypto/digest.ts'
import type { Clock } from '../../kernel/clock.ts'
import { randomToken } from '../../kernel/random.ts'
import type { PasskeyChallengesStore } from './passkey-challenges-store.ts'

export type Challenges = ReturnType<typeof createChallenges>

/** What a ceremony was begun for: a user's registration, or one login of a visitor. */
type Purpose = { registrationOf: number } | { loginSession: string }

/** A ceremony that was begun, and is now being completed: it cannot be a second time. */
export type Begun = {
  /** Whose passkey it must be; null for anybody's, `NOBODY` for a name that nobody has. */
  userId: number | null
  isChallenge(challenge: string): boolean
}

/** The id that no user has. */
export const NOBODY = 0

const CHALLENGE_BYTES = 32

export function createChallenges(store: PasskeyChallengesStore, clock: Clock, lifetimeMs: number) {
  return {
    /** The challenge, of which only a digest is kept. */
    async begin(purpose: Purpose, userId: number | null): Promise<string> {
      const challenge = randomToken(CHALLENGE_BYTES)
      await store.put({
        key: keyOf(purpose),
        digest: digest(challenge),
        user_id: userId,
        expires_at: clock.now() + lifetimeMs,
      })
      return challenge
    },

    /** Null when it has expired, was used before, or never was. */
    async consume(purpose: Purpose): Promise<Begun | null> {
      const taken = await store.take(keyOf(purpose))
      if (!taken || taken.expires_at <= clock.now()) return null
      return {
        userId: taken.user_id,
        isChallenge: (challenge) => digest(challenge) === taken.digest,
      }
    },
  }
}

const keyOf = (purpose: Purpose): string =>
  'registrationOf' in purpose
    ? `register:${purpose.registrationOf}`
    : `login:${digest(purpose.loginSession)}`
