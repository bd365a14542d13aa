import { ID_MAX, type Pk, readPk, readUuid } from './ids.ts'

/** Enough for the base64 of a UUID with its dashes. */
const UID_MAX = 52

/** The name of a user in mails: base36 of a number, or a UUID without its dashes. */
export const uidOf = (pk: Pk): string =>
  typeof pk === 'number' ? pk.toString(36) : pk.replaceAll('-', '')

/**
 * Reads the pk in a uid: as above, or as URL-safe base64 of its text. They cannot be confused:
 * base64 of digits begins with a capital letter, and base36 has none; a UUID has its own length.
 * Null for anything else.
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
