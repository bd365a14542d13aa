import { ID_MAX, readId } from '../../kernel/ids.ts'

const UID_MAX = 16

/** The name of a user in mails. */
export const uidOf = (pk: number): string => pk.toString(36)

/**
 * Reads the pk in a uid: base36, or URL-safe base64 of its decimal digits. They cannot be confused:
 * base64 of digits begins with a capital letter, and base36 has none. Null for anything else.
 */
export function pkOf(uid: string): number | null {
  if (uid.length > UID_MAX) return null
  const pk = fromBase64(uid) ?? fromBase36(uid)
  return pk !== null && pk > 0 && pk <= ID_MAX ? pk : null
}

function fromBase64(uid: string): number | null {
  const bare = uid.replace(/={1,2}$/, '')
  const bytes = Buffer.from(bare, 'base64url')
  const text = bytes.toString('latin1')
  return bytes.toString('base64url') === bare ? readId(text) : null
}

const fromBase36 = (uid: string): number | null =>
  /^[0-9a-z]+$/.test(uid) ? Number.parseInt(uid, 36) : null
