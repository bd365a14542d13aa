import { digest } from '../../crypto/digest.ts'
import type { Clock } from '../../kernel/clock.ts'
import { randomHex, randomToken } from '../../kernel/random.ts'
import type { Db } from '../../storage/handle.ts'
import {
  forgetExpiredChallenges,
  putChallenge,
  putChallengeIfFree,
  takeChallenge,
} from './challenges-queries.ts'

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
const SESSION_BYTES = 16

/**
 * Anybody may begin a login, so there are only so many places for them, whatever comes. Whoever
 * finds no free one soon takes the place of another: in a flood some have to begin again, but the
 * database does not grow, and nobody is locked out until it is over.
 */
const LOGINS_MAX = 200_000
const LOOKS_FOR_FREE = 4
const PLACE_DIGITS = 8

type Needs = { db: Db; clock: Clock; lifetimeMs: number; loginsMax?: number }

export function createChallenges(needs: Needs) {
  const { db, clock, lifetimeMs, loginsMax = LOGINS_MAX } = needs

  const rowOf = (purpose: Purpose, challenge: string, userId: number | null) => ({
    key: keyOf(purpose),
    digest: `${beginningOf(purpose)}${digest(challenge)}`,
    user_id: userId,
    expires_at: clock.now() + lifetimeMs,
  })

  return {
    /** The challenge, of which only a digest is kept, in the place of an older one of the user. */
    async beginRegistration(userId: number): Promise<string> {
      const challenge = randomToken(CHALLENGE_BYTES)
      await putChallenge(db, rowOf({ registrationOf: userId }, challenge, userId))
      return challenge
    },

    /** The challenge, and the session that it belongs to; only digests of both are kept. */
    async beginLogin(userId: number | null): Promise<{ challenge: string; sessionId: string }> {
      const challenge = randomToken(CHALLENGE_BYTES)
      for (let looks = 1; ; looks++) {
        const sessionId = randomHex(SESSION_BYTES)
        const row = rowOf({ loginSession: sessionId }, challenge, userId)
        if (await putChallengeIfFree(db, row, clock.now())) return { challenge, sessionId }
        if (looks < LOOKS_FOR_FREE) continue
        await putChallenge(db, row)
        return { challenge, sessionId }
      }
    },

    /** Null when it has expired, was used before, or never was. */
    async consume(purpose: Purpose): Promise<Begun | null> {
      const beginning = beginningOf(purpose)
      const taken = await takeChallenge(db, keyOf(purpose), beginning)
      if (!taken || taken.expires_at <= clock.now()) return null
      return {
        userId: taken.user_id,
        isChallenge: (challenge) => `${beginning}${digest(challenge)}` === taken.digest,
      }
    },

    forgetExpired: (most: number) => forgetExpiredChallenges(db, clock.now(), most),
  }

  /** One place for each user who makes a passkey; those of logins are drawn with their session. */
  function keyOf(purpose: Purpose): string {
    if ('registrationOf' in purpose) return `register:${purpose.registrationOf}`
    const drawn = Number.parseInt(purpose.loginSession.slice(0, PLACE_DIGITS), 16)
    return `login:${drawn % loginsMax}`
  }
}

/** Who knows only the place cannot take what lies there. */
const beginningOf = (purpose: Purpose): string =>
  'loginSession' in purpose ? `${digest(purpose.loginSession)}.` : ''
