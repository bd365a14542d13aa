/** The largest integer key of most tables that both databases can store. */
export const ID_MAX = 2 ** 31 - 1

/** The id of a user on the wire: a number, or a UUID in lower case with dashes. */
export type Pk = number | string

const UUID = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i

/**
 * Reads a key in decimal digits, as clients and operators write it. Returns null if it cannot be a
 * key.
 */
export function readId(text: string, max = ID_MAX): number | null {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null
  return id !== null && id <= max ? id : null
}

/** Reads the id of a login. Every login takes a new one, so they have 64 bits in both databases. */
export const readLoginId = (text: string): number | null => readId(text, Number.MAX_SAFE_INTEGER)

/** Reads a UUID, with or without dashes and in any case. Returns null if it is not one. */
export function readUuid(text: string): string | null {
  const parts = UUID.exec(text)?.slice(1)
  return parts ? parts.join('-').toLowerCase() : null
}

/** Reads the id of a user. The two kinds cannot be confused: a UUID is longer than any number. */
export const readPk = (text: string): Pk | null => readId(text) ?? readUuid(text)

/** Enough for the base64 of a UUID with its dashes. */
const UID_MAX = 52

/** Identifies a user in links of mails: base36 of a number, or a UUID without its dashes. */
export const uidOf = (pk: Pk): string =>
  typeof pk === 'number' ? pk.toString(36) : pk.replaceAll('-', '')

/**
 * Reads the pk in a uid: as above, or as URL-safe base64 of its text. They cannot be confused:
 * base64 of digits begins with a capital letter, base36 has none, and a UUID is longer. Returns
 * null for anything else.
 */
export function pkIn(uid: string): Pk | null {
  if (uid.length > UID_MAX) return null
  return readUuid(uid) ?? fromBase64(uid) ?? fromBase36(uid)
}

function fromBase64(uid: string): Pk | null {
  const bare = uid.replace(/={1,2}$/, '')
  const bytes = Buffer.from(bare, 'base64url')
  return bytes.toString('base64url') === bare ? readPk(bytes.toString('latin1')) : null
}

function fromBase36(uid: string): number | null {
  const id = /^[0-9a-z]+$/.test(uid) ? Number.parseInt(uid, 36) : 0
  return id > 0 && id <= ID_MAX ? id : null
}
