import type { DjangoRow } from '../../storage/django/django-user.ts'
import { flagIn, jsonIn, textIn, timeIn } from '../../storage/django/values.ts'
import { readTransports } from './descriptors.ts'
import type { NewPasskey } from './passkeys-queries.ts'

type Read = {
  readonly found: Omit<NewPasskey, 'user_id'>[]
  readonly unreadable: { readonly name: string; readonly why: string }[]
}

/**
 * The passkeys of dj-rest-auth 7.2 and later. Its table does not say whether the authenticator
 * verified the user, so they count as one factor. Nor does it say whether they can be backed up;
 * the first login tells.
 */
export async function ownPasskeys(rows: readonly DjangoRow[]): Promise<Read> {
  const read: Read = { found: [], unreadable: [] }
  if (rows.length === 0) return read
  const { checkCoseKey } = await import('../../crypto/webauthn/cose-key.ts')
  for (const row of rows) {
    const name = textIn(row.name) || 'Passkey'
    try {
      const publicKey = new Uint8Array(bytesIn(row.public_key))
      checkCoseKey(publicKey)
      read.found.push({
        id: Number(row.id),
        name,
        credential_id: bytesIn(row.credential_id).toString('base64url'),
        public_key: Buffer.from(publicKey).toString('base64url'),
        sign_count: Number(row.sign_count ?? 0),
        user_verified: 0,
        backup_eligible: 0,
        backup_known: 0,
        backed_up: 0,
        discoverable: flagIn(row.discoverable) ? 1 : 0,
        transports: JSON.stringify(readTransports(jsonIn(row.transports))),
        created_at: timeIn(row.created_at) ?? 0,
        last_used_at: timeIn(row.last_used_at),
      })
    } catch (error) {
      read.unreadable.push({ name, why: error instanceof Error ? error.message : '' })
    }
  }
  return read
}

function bytesIn(value: unknown): Buffer {
  if (value instanceof Uint8Array || value instanceof ArrayBuffer)
    return Buffer.from(value as never)
  throw new Error('the key cannot be read')
}
