/** The largest integer key that both databases can store. */
export const ID_MAX = 2 ** 31 - 1

/** The id of a user on the wire: a number, or a UUID in small letters with dashes. */
export type Pk = number | string

const UUID = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i

/** Reads a key in decimal digits, as clients and operators write it. Null if it cannot be a key. */
export function readId(text: string): number | null {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null
  return id !== null && id <= ID_MAX ? id : null
}

/** Reads a UUID, with or without dashes and in any case. Null if it is none. */
export function readUuid(text: string): string | null {
  const parts = UUID.exec(text)?.slice(1)
  return parts ? parts.join('-').toLowerCase() : null
}

/** Reads the id of a user. The two kinds cannot be confused: a UUID is longer than any number. */
export const readPk = (text: string): Pk | null => readId(text) ?? readUuid(text)
