/** The largest integer key that a column of either database holds. */
export const ID_MAX = 2 ** 31 - 1

/** The key in decimal digits, as clients and operators write it; null for what cannot be one. */
export function readId(text: string): number | null {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null
  return id !== null && id <= ID_MAX ? id : null
}
