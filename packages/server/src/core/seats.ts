import { randomHex } from '../kernel/random.ts'

/**
 * Anybody may begin a login, so the number of open ones is bounded: each takes one of so many
 * seats. If no free seat is found quickly, a new login takes the seat of another. In a flood some
 * clients have to begin again, but the database does not grow, and nobody is locked out.
 */
export const SEATS = 200_000
const LOOKS_FOR_FREE = 4

const SESSION_BYTES = 16
const DRAWN_DIGITS = 8

/** The seat of a session is drawn at random with its id. */
export const seatOf = (sessionId: string, seats = SEATS): number =>
  Number.parseInt(sessionId.slice(0, DRAWN_DIGITS), 16) % seats

/**
 * Returns the id of a new session. `put` stores it in its seat and says whether it did: if the seat
 * is not free, only if it may replace the session there.
 */
export async function openSession(
  put: (sessionId: string, mayReplace: boolean) => Promise<boolean>,
): Promise<string> {
  for (let looks = 1; ; looks++) {
    const sessionId = randomHex(SESSION_BYTES)
    if (await put(sessionId, looks > LOOKS_FOR_FREE)) return sessionId
  }
}
