/** The largest integer key that both databases can store. */
export const ID_MAX = 2 ** 31 - 1

/** Reads a key in decimal digits, as clients and operators write it. Null if it cannot be a key. */
export function readId(text: string): number | null {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null
  return id !== null && id <= ID_MAX ? id : null
}
