import { openSession, SEATS, seatOf } from '../../core/seats.ts'
import { digest } from '../../crypto/digest.ts'
import type { Clock } from '../../kernel/clock.ts'
import { randomToken } from '../../kernel/random.ts'
import type { Db, Tx } from '../../storage/handle.ts'
import {
  forgetExpiredChallenges,
  passChallengesOn,
  putChallenge,
  putChallengeIfFree,
  removeChallenge,
  takeChallenge,
} from './challenges-queries.ts'

export type Challenges = ReturnType<typeof createChallenges>

/** The purpose of a ceremony: a user's registration, or one login of a visitor. */
type Purpose = { registrationOf: number } | { loginSession: string }

/** A ceremony that is now completed. It cannot be completed a second time. */
export type Begun = {
  /** The user whose passkey is needed; null for any user, `NOBODY` for an unknown name. */
  userId: number | null
  isChallenge(challenge: string): boolean
}

/** An id that no user has. */
export const NOBODY = 0

const CHALLENGE_BYTES = 32

type Needs = { db: Db; clock: Clock; lifetimeMs: number; loginsMax?: number }

export function createChallenges(needs: Needs) {
  const { db, clock, lifetimeMs, loginsMax = SEATS } = needs

  const rowOf = (purpose: Purpose, challenge: string, userId: number | null) => ({
    key: keyOf(purpose),
    digest: `${beginningOf(purpose)}${digest(challenge)}`,
    user_id: userId,
    expires_at: clock.now() + lifetimeMs,
  })

  return {
    /** Returns the challenge; only its digest is stored. It replaces an older one of the user. */
    async beginRegistration(userId: number): Promise<string> {
      const challenge = randomToken(CHALLENGE_BYTES)
      await putChallenge(db, rowOf({ registrationOf: userId }, challenge, userId))
      return challenge
    },

    /** Returns the challenge and its session; only their digests are stored. */
    async beginLogin(userId: number | null): Promise<{ challenge: string; sessionId: string }> {
      const challenge = randomToken(CHALLENGE_BYTES)
      const sessionId = await openSession(async (loginSession, mayReplace) => {
        const row = rowOf({ loginSession }, challenge, userId)
        if (!mayReplace) return putChallengeIfFree(db, row, clock.now())
        await putChallenge(db, row)
        return true
      })
      return { challenge, sessionId }
    },

    /** Null if it has expired, was used already, or never existed. */
    async consume(purpose: Purpose): Promise<Begun | null> {
      const beginning = beginningOf(purpose)
      const taken = await takeChallenge(db, keyOf(purpose), beginning)
      if (!taken || taken.expires_at <= clock.now()) return null
      return {
        userId: taken.user_id,
        isChallenge: (challenge) => `${beginning}${digest(challenge)}` === taken.digest,
      }
    },

    /**
     * Whoever began a login with the name of a deleted user goes on as with an unknown name.
     * Otherwise the end of the ceremony would tell that there was such a user.
     */
    async forgetUser(userId: number, tx: Tx): Promise<void> {
      await removeChallenge(tx, keyOf({ registrationOf: userId }))
      await passChallengesOn(tx, userId, NOBODY)
    },

    forgetExpired: (most: number) => forgetExpiredChallenges(db, clock.now(), most),
  }

  /**
   * One place per user for registrations. The place of a login is drawn at random with its session.
   */
  function keyOf(purpose: Purpose): string {
    if ('registrationOf' in purpose) return `register:${purpose.registrationOf}`
    return `login:${seatOf(purpose.loginSession, loginsMax)}`
  }
}

/** The digest of the session, so that knowing the place alone is not enough. */
const beginningOf = (purpose: Purpose): string =>
  'loginSession' in purpose ? `${digest(purpose.loginSession)}.` : ''
