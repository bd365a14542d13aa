import { randomHex } from '../kernel/random.ts'

/**
 * Anybody may begin a login, so the number of open ones is bounded: each takes one of so many
 * places. If no free place is found quickly, a new login takes the place of another. In a flood some
 * clients have to begin again, but the database does not grow, and nobody is locked out.
 */
export const PLACES = 200_000
const LOOKS_FOR_FREE = 4

const SESSION_BYTES = 16
const DRAWN_DIGITS = 8

/** The place of a session is drawn at random with its id. */
export const placeOf = (sessionId: string, places = PLACES): number =>
  Number.parseInt(sessionId.slice(0, DRAWN_DIGITS), 16) % places

/**
 * Returns the id of a new session. `put` stores it in its place and says whether it did: if the place
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
