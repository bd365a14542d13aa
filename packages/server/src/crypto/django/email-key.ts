import { SECOND } from '../../kernel/clock.ts'
import { readId } from '../../kernel/ids.ts'
import { openSigned } from './signed.ts'

/** The salt of allauth, unless `ACCOUNT_SALT` says otherwise. */
export const EMAIL_KEY_SALT = 'account'

type Rules = { secretKeys: readonly string[]; lifetimeMs: number; salt?: string }

/**
 * The id of the address in Django's table that the key from a mail of allauth confirms. Null if the
 * key is forged or too old.
 */
export function addressIdIn(
  key: string,
  { secretKeys, lifetimeMs, salt = EMAIL_KEY_SALT }: Rules,
  now: number,
): number | null {
  const signed = openSigned(key, salt, secretKeys)
  if (!signed || now - signed.seconds * SECOND > lifetimeMs) return null
  return readId(Buffer.from(signed.value, 'base64url').toString('latin1'))
}
