import { createHmac } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { isEqualText } from '../../../server/src/crypto/digests.ts'
import { djangoKey, openSigned } from '../../../server/src/crypto/django/signed.ts'
import { isObject } from '../../../server/src/kernel/json-object.ts'

/** Who is logged in by a session of Django. */
type DjangoSession = {
  /** The pk as text; a UUID has its dashes. */
  userId: string
  /** The class that authenticated the user. Django refuses the session if it no longer uses it. */
  backend: string | null
  /** Tied to the password hash, so that a new password ends the session. */
  hash: string
}

const SALT = 'django.contrib.sessions.SessionStore'
const HASH_PURPOSE = 'django.contrib.auth.models.AbstractBaseUser.get_session_auth_hash'

/** More than any session needs. A small row must not unpack to more than memory holds. */
const LARGEST = 1024 * 1024

/** Null if the session is anonymous, or was not signed with one of the keys. */
export function readDjangoSession(
  data: string,
  secretKeys: readonly string[],
): DjangoSession | null {
  const signed = openSigned(data, SALT, secretKeys)
  const content = signed && parse(signed.value)
  if (!isObject(content)) return null
  const { _auth_user_id: userId, _auth_user_backend: backend, _auth_user_hash: hash } = content
  const isText = (value: unknown): value is string => typeof value === 'string'
  if (!isText(userId) || !isText(hash)) return null
  return { userId, hash, backend: isText(backend) ? backend : null }
}

/** Whether it was signed with one of the keys, anonymous or not. */
export const isSignedSession = (data: string, secretKeys: readonly string[]): boolean =>
  openSigned(data, SALT, secretKeys) !== null

/** Whether the session was opened with the password that has this hash. */
export const isOfPassword = (
  { hash }: DjangoSession,
  passwordHash: string,
  secretKeys: readonly string[],
): boolean =>
  secretKeys.some((secretKey) => {
    const key = djangoKey(HASH_PURPOSE, secretKey)
    return isEqualText(createHmac('sha256', key).update(passwordHash).digest('hex'), hash)
  })

/** JSON in base64, compressed if it begins with a dot. */
function parse(value: string): unknown {
  const isCompressed = value.startsWith('.')
  const bytes = Buffer.from(isCompressed ? value.slice(1) : value, 'base64url')
  try {
    const json = isCompressed ? inflateSync(bytes, { maxOutputLength: LARGEST }) : bytes
    return JSON.parse(json.toString())
  } catch {
    return null
  }
}
