import type { Loss } from '../../../server/src/core/adopt.ts'
import type {
  AdoptedPasskey,
  AdoptedPasskeys,
} from '../../../server/src/features/passkeys/adopt-passkeys.ts'
import { uidOf } from '../../../server/src/kernel/ids.ts'
import { isObject } from '../../../server/src/kernel/json-object.ts'
import type { DjangoAuthenticator, DjangoRow, DjangoUser } from '../source/django-user.ts'
import { flagIn, jsonIn, textIn, timeIn } from '../source/values.ts'
import type { Reading } from './part.ts'

/** Passkeys of allauth, and those of dj-rest-auth 7.2 and later. */
export async function readPasskeys(source: DjangoUser): Promise<Reading<AdoptedPasskeys>> {
  const passkeys: AdoptedPasskey[] = []
  const losses: Loss[] = []
  for (const one of webauthnOf(source)) {
    await reading(nameIn(isObject(one.data) ? one.data.name : ''), (name) => allauths(one, name))
  }
  for (const row of source.credentials) await reading(nameIn(row.name), (name) => own(row, name))
  return { given: { handle: handleOf(source), passkeys }, losses }

  async function reading(name: string, read: (name: string) => Promise<AdoptedPasskey>) {
    try {
      passkeys.push(await read(name))
    } catch (error) {
      losses.push({ what: `passkey "${name}"`, why: error instanceof Error ? error.message : '' })
    }
  }
}

export const webauthnOf = ({ authenticators }: DjangoUser): DjangoAuthenticator[] =>
  authenticators.filter(({ type }) => type === 'webauthn')

/** allauth names the user to authenticators as in links, dj-rest-auth by the plain pk. */
function handleOf(source: DjangoUser): string {
  const text = webauthnOf(source).length > 0 ? uidOf(source.pk) : String(source.pk)
  return Buffer.from(text).toString('base64url')
}

/** allauth keeps what the browser sent. The library that reads it is large, so it loads on demand. */
async function allauths(
  { id, data, createdAt, lastUsedAt }: DjangoAuthenticator,
  name: string,
): Promise<AdoptedPasskey> {
  const credential = objectIn(objectIn(data).credential)
  const { response } = credential
  if (!isObject(response)) throw new Error('the answer of the browser is missing')
  const { readRegistration } = await import(
    '../../../server/src/crypto/webauthn/verify-registration.ts'
  )
  return {
    id,
    name,
    credential: readRegistration(response.attestationObject),
    isBackupKnown: true,
    // The options asked for it, so it is true unless the browser says otherwise.
    isDiscoverable: objectIn(objectIn(credential.clientExtensionResults).credProps).rk !== false,
    transports: response.transports ?? credential.transports,
    createdAt,
    lastUsedAt,
  }
}

/**
 * The table of dj-rest-auth does not say whether the authenticator verified the user, so the passkey
 * counts as one factor. Nor does it say whether it can be backed up.
 */
async function own(row: DjangoRow, name: string): Promise<AdoptedPasskey> {
  const { checkCoseKey } = await import('../../../server/src/crypto/webauthn/cose-key.ts')
  const publicKey = new Uint8Array(bytesIn(row.public_key))
  checkCoseKey(publicKey)
  return {
    id: Number(row.id),
    name,
    credential: {
      credentialId: bytesIn(row.credential_id).toString('base64url'),
      publicKey,
      signCount: Number(row.sign_count ?? 0),
      userVerified: false,
      backupEligible: false,
      backedUp: false,
    },
    isBackupKnown: false,
    isDiscoverable: flagIn(row.discoverable),
    transports: jsonIn(row.transports),
    createdAt: timeIn(row.created_at),
    lastUsedAt: timeIn(row.last_used_at),
  }
}

const objectIn = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {})

const nameIn = (name: unknown): string =>
  typeof name === 'string' && name !== '' ? textIn(name).slice(0, 255) : 'Passkey'

function bytesIn(value: unknown): Buffer {
  if (value instanceof Uint8Array || value instanceof ArrayBuffer)
    return Buffer.from(value as never)
  throw new Error('the key cannot be read')
}
