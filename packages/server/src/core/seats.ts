import { randomHex } from '../kernel/random.ts'

/**
 * Anybody can begin a login, so the number of open ones is limited: each takes one of these seats.
 * If no free seat is found quickly, a new login takes an occupied one. In a flood some clients have
 * to begin again, but the database does not grow, and nobody is locked out.
 */
export const SEATS = 200_000
const LOOKS_FOR_FREE = 4

const ID_BYTES = 16
const SEAT_DIGITS = 8

/** The first digits of the random id choose the seat. */
export const seatOf = (id: string, seats = SEATS): number =>
  Number.parseInt(id.slice(0, SEAT_DIGITS), 16) % seats

/**
 * Returns a new id. `put` stores it if its seat is free, or occupied only until `until`, and returns
 * whether it did.
 */
export async function takeSeat(
  now: number,
  put: (id: string, until: number) => Promise<boolean>,
): Promise<string> {
  for (let looks = 1; ; looks++) {
    const id = randomHex(ID_BYTES)
    if (await put(id, looks > LOOKS_FOR_FREE ? Number.MAX_SAFE_INTEGER : now)) return id
  }
}
